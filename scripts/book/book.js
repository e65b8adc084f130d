// What scrolls takes the keyboard, and the toggle of the sidebar has the role that its attributes are for.
for (const wide of document.querySelectorAll("pre > code, .table-wrapper")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}
document.querySelector("label#mdbook-sidebar-toggle")?.setAttribute("role", "button");
