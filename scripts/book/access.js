// Wide parts take the keyboard, and the bar has the role that its attributes are for.
for (const wide of document.querySelectorAll("pre > code, .table-wrapper")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}
document.querySelector("#mdbook-menu-bar")?.setAttribute("role", "banner");
// The sidebar's toggle is a label, which no keyboard reaches: a button takes its place.
{
    const label = document.querySelector("label#mdbook-sidebar-toggle");
    const box = document.querySelector("#mdbook-sidebar-toggle-anchor");
    if (label && box) {
        const button = document.createElement("button");
        for (const { name, value } of label.attributes) if (name !== "for") button.setAttribute(name, value);
        button.type = "button";
        button.append(...label.childNodes);
        const tell = () => button.setAttribute("aria-expanded", box.checked);
        // mdBook listens to the label, which is there no more.
        button.addEventListener("click", () => {
            label.dispatchEvent(new Event("click"));
            box.click();
        });
        box.addEventListener("change", tell);
        tell();
        label.replaceWith(button);
    }
}
