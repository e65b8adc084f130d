"use strict";
(() => {
  const root = document.documentElement;
  const by = (id) => document.getElementById(id);

  // Theme: what was chosen is remembered where the browser allows it.
  const memory = {
    read() { try { return localStorage.getItem("posproof-theme"); } catch { return null; } },
    write(value) { try { localStorage.setItem("posproof-theme", value); } catch { /* private windows */ } },
  };
  const choice = by("theme-choice");
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  const remembered = memory.read();
  if (remembered) { choice.value = remembered; apply(remembered); }
  choice.addEventListener("change", () => { apply(choice.value); memory.write(choice.value); });
  by("theme").hidden = false;

  // A font without a table of mathematics lets exponents float above their letter.
  const raised = document.querySelector("math msup");
  if (raised) {
    const [base, script] = [...raised.children].map((child) => child.getBoundingClientRect());
    root.classList.toggle("floating", base.top - script.top > 0.25 * script.height);
  }

  // Names are found in any spelling: capital letters do not matter, nor what separates words.
  const folded = (text) => text.toLowerCase().replace(/[_:.]+/g, ".");

  // Filter: every word must occur in the claim.
  const form = by("filter");
  const [text, subject, verdict] = ["text", "subject", "verdict"].map((name) => by(`filter-${name}`));
  const claims = [...document.querySelectorAll("article.claim")].map((element) => ({
    element,
    // Formulas are found as they are written in the ledger.
    words: folded([element.textContent, ...[...element.querySelectorAll("math")].map((math) => math.getAttribute("alttext"))].join(" ")),
    subject: element.dataset.subject,
    verdict: element.dataset.verdict,
  }));
  const sections = [...document.querySelectorAll("section.subject")];
  const filter = () => {
    const words = folded(text.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const claim of claims) {
      const fits = words.every((word) => claim.words.includes(word))
        && (!subject.value || claim.subject === subject.value)
        && (!verdict.value || claim.verdict === verdict.value);
      claim.element.hidden = !fits;
      shown += Number(fits);
    }
    for (const section of sections) section.hidden = !section.querySelector("article.claim:not([hidden])");
    by("nothing").hidden = shown > 0;
    const all = `${claims.length} claim${claims.length === 1 ? "" : "s"}`;
    by("filter-count").textContent = shown === claims.length ? all : `${shown} of ${all}`;
  };
  // A search is in the address, which can be sent to others.
  const KEYS = [["q", text], ["subject", subject], ["verdict", verdict]];
  const addressed = () => {
    const search = new URLSearchParams(KEYS.filter(([, field]) => field.value).map(([key, field]) => [key, field.value]));
    history.replaceState(null, "", search.size ? `#?${search}` : "#claims");
  };
  form.addEventListener("input", () => { filter(); addressed(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); addressed(); }));
  form.hidden = false;

  const all = by("open-all");
  all.addEventListener("click", () => {
    const open = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(open));
    for (const claim of claims) claim.element.firstElementChild.open = open;
  });

  // A link to a claim or to a configuration shows it, whatever the filter says, and opens it. An address may be a search, or a
  // name in another spelling.
  const named = (name) => by(name) ?? claims.find(({ element }) => folded(element.id).replaceAll("-", ".") === folded(name).replaceAll("-", "."))?.element;
  const follow = () => {
    const hash = decodeURIComponent(location.hash.slice(1));
    if (hash.startsWith("?")) {
      const search = new URLSearchParams(location.hash.slice(2));
      for (const [key, field] of KEYS) field.value = search.get(key) ?? "";
      filter();
      form.scrollIntoView({ behavior: "instant" });
      return;
    }
    const target = hash && named(hash);
    if (!target || !target.closest("#claims, #bounds")) return;
    if (target.hidden || target.closest("[hidden]")) {
      for (const [, field] of KEYS) field.value = "";
      filter();
    }
    const details = target.matches("details") ? target : target.matches("article.claim") && target.firstElementChild;
    if (details) details.open = true;
    // At once, and once more when all that was hidden has its height: a long page that slides by says nothing.
    const show = () => target.scrollIntoView({ behavior: "instant" });
    show();
    requestAnimationFrame(() => requestAnimationFrame(show));
  };
  addEventListener("hashchange", follow);
  follow();

  // On paper the claims and configurations are open, and as before afterwards.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll(".configuration:not([open]), .claim > details:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => { for (const details of closed) details.open = false; });
})();
