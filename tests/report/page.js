// Checks that tests/report/page.rs runs in the page: each gives the faults that it found and how much it looked at.
var called = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").trim().slice(0, 40)}"`;

// Every drawing has a size, a role, a title, a description, and something in it.
var plots = () => {
  const drawings = [...document.querySelectorAll("figure svg[role=img]")];
  const faults = [];
  for (const drawing of drawings) {
    const { width, height } = drawing.getBoundingClientRect();
    if (!(width > 100 && height > 50)) faults.push(`${called(drawing)}: ${width} × ${height}`);
    const labels = (drawing.getAttribute("aria-labelledby") ?? "").split(" ");
    if (labels.length !== 2 || labels.some((id) => !document.getElementById(id)?.textContent)) faults.push(`${called(drawing)}: no title or description`);
    const inside = [...drawing.querySelectorAll(".inside path, .inside image")].map((shape) => shape.getBoundingClientRect());
    if (!inside.some((box) => box.width > 50 && box.height > 20)) faults.push(`${called(drawing)}: nothing in it`);
  }
  const bare = [...document.querySelectorAll("figure")].filter((figure) => !figure.querySelector("figcaption") || !figure.querySelector("svg[role=img]"));
  return { faults: [...faults, ...bare.map((figure) => `${figure.id}: no caption or drawing`)], seen: drawings.length };
};

// Nothing stands out to the right, but for what scrolls by itself.
var overflow = (width) => {
  const elements = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.closest("svg, .unseen") && !e.parentElement.closest(".scroll"));
  const faults = elements.filter((e) => e.getBoundingClientRect().right > width + 0.5).map(called);
  return { faults, seen: elements.length };
};

// Contrast of text with what is behind it: at least 4.5, or 3 where it is large (WCAG 2.2, success criterion 1.4.3).
var contrast = () => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.closest(".unseen, script, desc, title, option")
    && [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const faults = [];
  for (const element of texts) {
    const style = getComputedStyle(element);
    const back = behind(element);
    const front = over(rgba(element.closest("svg") ? style.fill : style.color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.push(`${called(element)}: ${ratio.toFixed(2)}`);
  }
  return { faults, seen: texts.length };
};

// Headings begin at 1 and never skip a level; section and article ids are unique and references lead somewhere.
var headings = () => {
  const all = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const levels = all.map((heading) => Number(heading.tagName[1]));
  const faults = all.filter((_, i) => levels[i] > (levels[i - 1] ?? 0) + 1).map(called);
  if (levels.filter((level) => level === 1).length !== 1) faults.push("not one first heading");
  return { faults, seen: all.length };
};

var names = () => {
  const faults = [];
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`id ${id} twice`);
  const referring = [...document.querySelectorAll("[aria-labelledby], [for], a[href^='#']")];
  for (const element of referring) {
    const targets = element.getAttribute("aria-labelledby") ?? element.getAttribute("for") ?? element.getAttribute("href").slice(1);
    for (const id of targets.split(" ")) if (!document.getElementById(id)) faults.push(`${called(element)} refers to ${id}`);
  }
  for (const control of document.querySelectorAll("input, select")) if (!control.labels.length) faults.push(`${called(control)} has no label`);
  return { faults, seen: referring.length };
};

var tables = () => {
  const all = [...document.querySelectorAll("table")];
  const faults = all.filter((table) => !table.caption?.textContent.trim() || !table.querySelector("thead th[scope=col]")
    || [...table.querySelectorAll("th")].some((th) => !th.scope)).map(called);
  return { faults, seen: all.length };
};
