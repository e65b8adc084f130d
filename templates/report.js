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

  // Filter: every word must occur in the claim.
  const form = by("filter");
  const [text, subject, verdict] = ["text", "subject", "verdict"].map((name) => by(`filter-${name}`));
  const claims = [...document.querySelectorAll("article.claim")].map((element) => ({
    element,
    // Formulas are found as they are written in the ledger.
    words: [element.textContent, ...[...element.querySelectorAll("math")].map((math) => math.getAttribute("alttext"))].join(" ").toLowerCase(),
    subject: element.dataset.subject,
    verdict: element.dataset.verdict,
  }));
  const sections = [...document.querySelectorAll("section.subject")];
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
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
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;

  const all = by("open-all");
  all.addEventListener("click", () => {
    const open = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(open));
    for (const claim of claims) claim.element.firstElementChild.open = open;
  });

  // A link to a claim or to a configuration shows it, whatever the filter says, and opens it.
  const follow = () => {
    const target = location.hash.length > 1 && by(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("#claims, #bounds")) return;
    if (target.hidden || target.closest("[hidden]")) { form.reset(); filter(); }
    const details = target.matches("details") ? target : target.matches("article.claim") && target.firstElementChild;
    if (details) details.open = true;
    // At once: a long page that slides by says nothing.
    target.scrollIntoView({ behavior: "instant" });
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
