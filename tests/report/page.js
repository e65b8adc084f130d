// Checks that tests/report/page.rs runs in the page: each gives the faults that it found and how much it looked at.
var called = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").trim().slice(0, 40)}"`;

// Every drawing has a size, a role, a title, a description, and something in it: all its shapes together, since each line of a few may be level.
var plots = () => {
  const drawings = [...document.querySelectorAll("figure svg[role=img]")];
  const faults = [];
  for (const drawing of drawings) {
    const { width, height } = drawing.getBoundingClientRect();
    if (!(width > 100 && height > 50)) faults.push(`${called(drawing)}: ${width} × ${height}`);
    const labels = (drawing.getAttribute("aria-labelledby") ?? "").split(" ");
    if (labels.length !== 2 || labels.some((id) => !document.getElementById(id)?.textContent)) faults.push(`${called(drawing)}: no title or description`);
    const inside = [...drawing.querySelectorAll(".inside path, .inside image")].map((shape) => shape.getBoundingClientRect());
    const extent = (low, high) => Math.max(...inside.map((box) => box[high])) - Math.min(...inside.map((box) => box[low]));
    if (!(extent("left", "right") > 50 && extent("top", "bottom") > 20)) faults.push(`${called(drawing)}: nothing in it`);
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

// No two labels of one drawing lie on each other.
var labels = () => {
  const faults = [];
  const drawings = [...document.querySelectorAll("figure svg[role=img]")];
  for (const drawing of drawings) {
    const texts = [...drawing.querySelectorAll("text")].filter((text) => text.textContent).map((text) => [text, text.getBoundingClientRect()]);
    texts.forEach(([one, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Boxes have room above and below their letters: lines may share a quarter of it.
      if (across > 0.5 && down > Math.min(a.height, b.height) / 4) faults.push(`${called(one)} on ${called(other)} in ${drawing.querySelector("title")?.textContent ?? drawing.getAttribute("aria-label")}`);
    }));
  }
  return { faults, seen: drawings.length };
};

// One colour has one meaning in all legends, and one meaning one colour. The colour of the text is no colour.
var meanings = () => {
  const ink = getComputedStyle(document.body).color;
  const pairs = [...document.querySelectorAll(".legend li")].map((entry) => [getComputedStyle(entry.querySelector("path")).stroke, entry.textContent.trim()]);
  const coloured = pairs.filter(([colour]) => colour !== ink && !isGrey(colour));
  const faults = [];
  for (const [colour, label] of coloured) {
    for (const [other, name] of coloured) if ((colour === other) !== (label === name)) faults.push(`${colour} is ${label}, ${other} is ${name}`);
  }
  return { faults: [...new Set(faults)], seen: coloured.length };
};
var isGrey = (colour) => {
  const [r, g, b] = colour.match(/\d+/g).map(Number);
  return Math.max(r, g, b) - Math.min(r, g, b) < 20;
};

// Text that a reader sees is no source of formulas: no script is written with _ or ^ outside of code, names and drawings.
var formulas = () => {
  const raw = /[\p{L}\d)\]]\^[({\p{L}\d]|[\p{L})]_[({]|[\p{Script=Greek}]_/u;
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const faults = [];
  let seen = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.parentElement.closest("code, pre, .value, dt, .numbers, .unseen")) continue;
    seen += 1;
    if (raw.test(text.data)) faults.push(text.data.trim().slice(0, 80));
  }
  return { faults, seen };
};

// Formulas are drawn: each has a size, and its scripts are off the line.
var drawn = () => {
  const formulas = [...document.querySelectorAll("math")].filter((math) => math.checkVisibility());
  const faults = formulas.filter((math) => !(math.getBoundingClientRect().width > 2 && math.getBoundingClientRect().height > 2)).map(called);
  const scripts = formulas.flatMap((math) => [...math.querySelectorAll("msub, msup")]);
  for (const script of scripts) {
    const [base, raised] = [...script.children].map((child) => child.getBoundingClientRect());
    const below = script.localName === "msub";
    if (below ? !(raised.bottom > base.bottom - 1) : !(raised.top < base.top + 1)) faults.push(`${called(script)} is on the line`);
  }
  return { faults, seen: scripts.length };
};

// Each claim and configuration is found by its own id.
var permalinks = (ids) => {
  const faults = ids.filter((id) => !document.getElementById(id) || !document.querySelector(`a[href="#${CSS.escape(id)}"], a[href="#${id}"]`));
  return { faults, seen: ids.length };
};
