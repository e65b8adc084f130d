// Wide parts take the keyboard, and the bar and its toggle have the roles that their attributes are for.
for (const wide of document.querySelectorAll("pre > code, .table-wrapper")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}
document.querySelector("label#mdbook-sidebar-toggle")?.setAttribute("role", "button");
document.querySelector("#mdbook-menu-bar")?.setAttribute("role", "banner");
