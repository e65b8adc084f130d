// Understand by moving: each part shows numbers of the data block, and computes none.
(() => {
  const section = document.getElementById("explore");
  const data = JSON.parse(document.getElementById("explore-data").textContent);
  const part = (name) => {
    const root = document.getElementById(`move-${name}`);
    return { root, find: (selector) => root.querySelector(selector), tell: (html) => { root.querySelector(".told").innerHTML = html; } };
  };
  const drawn = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const number = (text) => Number(text.replace("−", "-"));
  const opposite = (text) => (/^−/.test(text) ? text.slice(1) : /[1-9]/.test(text) ? `−${text}` : text);
  // A slider: each step shows a state, and says it in words that assistive technology reads.
  const slider = (input, show) => {
    const output = input.parentElement.querySelector("output");
    const update = () => {
      const text = show(Number(input.value));
      output.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
    input.addEventListener("input", update);
    update();
    return update;
  };
  // Four dials, with as many hands each as there are classes.
  const dials = (svg, classes) => {
    const hands = [0, 1, 2, 3].map((pair) => {
      const [x, y] = [50 + 100 * pair, 48];
      svg.append(drawn("circle", { cx: x, cy: y, r: 40, class: "rim" }));
      const label = drawn("text", { x, y: 106, class: "middle" });
      label.textContent = `pair ${pair}`;
      svg.append(label);
      return classes.map((name) => {
        const hand = drawn("path", { class: name });
        svg.append(hand);
        return ([cos, sin]) => hand.setAttribute("d", `M${x} ${y}l${38 * number(cos)} ${-38 * number(sin)}`);
      });
    });
    return (states) => hands.forEach((of, pair) => of.forEach((turn, at) => turn(states[at][pair])));
  };

  {
    const { root, find, tell } = part("shift");
    const turn = dials(find(".dials"), ["hand"]);
    const cells = [...Array(8)].map(() => [...Array(8)].map(() => find(".blocks").appendChild(document.createElement("span"))));
    for (const row of cells) for (const cell of row) { cell.textContent = "0"; cell.className = "nil"; }
    slider(root.querySelector("input"), (k) => {
      const { pairs, residual, bound, share } = data.shift.shifts[k];
      turn([pairs]);
      pairs.forEach(([cos, sin], pair) => {
        const block = [[cos, sin], [opposite(sin), cos]];
        block.forEach((row, i) => row.forEach((text, j) => {
          const cell = cells[2 * pair + i][2 * pair + j];
          cell.textContent = text;
          cell.className = "";
        }));
      });
      const told = k === 0 ? "T(0) is the identity: nothing is rounded." : `In binary32, for every t below ${data.shift.length}: the largest |T(k)·PE(t) − PE(t + k)| is <b>${residual}</b>, and its bound is ${bound}. The largest error ÷ bound of a pair is ${share.toPrecision(2)}.`;
      tell(told);
      return String(k);
    });
  }

  {
    const { root, find, tell } = part("clock");
    const { positions } = data.clock;
    const turn = dials(find(".dials"), ["hand", "hand held"]);
    const input = root.querySelector("input");
    input.max = positions.length - 1;
    input.value = positions.findIndex((one) => one.position === 257);
    const update = slider(input, (at) => {
      const { position, held, exact, rounded } = positions[at];
      turn([exact, rounded]);
      const [cos, sin] = exact[0];
      const apart = Math.abs(position - held);
      const hands = apart === 0 ? "bf16 holds this position: both hands are one." : `bf16 holds ${held} in its place: every hand is that of ${apart} position${apart > 1 ? "s" : ""} ${held < position ? "before" : "later"}. Pair 0 turns by ${apart} rad in ${apart > 1 ? "these positions" : "a position"}.`;
      tell(`Position ${position}: ${hands} Exact: cos ${cos}, sin ${sin}. As rounded: cos ${rounded[0][0]}, sin ${rounded[0][1]}.`);
      return String(position);
    });
    for (const button of root.querySelectorAll("[data-position]")) {
      button.addEventListener("click", () => {
        input.value = positions.findIndex((one) => one.position === Number(button.dataset.position));
        update();
      });
    }
  }

  {
    const { root, find, tell } = part("toeplitz");
    const { products, printed } = data.toeplitz;
    const size = products.length;
    const values = products.map(number);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const canvas = find("canvas");
    const context = canvas.getContext("2d");
    for (let s = 0; s < size; s += 1) {
      for (let t = 0; t < size; t += 1) {
        const strength = (values[Math.abs(s - t)] - least) / (most - least);
        context.fillStyle = `rgba(31, 119, 201, ${0.06 + 0.94 * strength})`;
        context.fillRect(t, s, 1, 1);
      }
    }
    const input = root.querySelector("input");
    const update = slider(input, (n) => {
      const end = size - n;
      find("svg path").setAttribute("d", `M${n} 0L${size} ${end}M0 ${n}L${end} ${size}`);
      const floats = printed.filter(([[s, t]]) => Math.abs(s - t) === n);
      const told = floats.map(([[s, t], value]) => `D(${s}, ${t}) = ${value}`);
      const beside = told.length ? ` <i>The Hidden Beauty</i> prints ${told.join(", ")}.` : "";
      tell(`D(s, t) = <b>${products[n]}</b> wherever |s − t| = ${n}, to ten certified decimals.${beside}`);
      return String(n);
    });
    find(".field-of-squares").addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const place = (at, from, length) => Math.max(0, Math.min(size - 1, Math.floor((at - from) / length * size)));
      input.value = Math.abs(place(event.clientX, box.left, box.width) - place(event.clientY, box.top, box.height));
      update();
    });
  }

  {
    const { root, find, tell } = part("distance");
    const logs = data.distance.flatMap(({ values }) => values.map(Math.log10));
    const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
    const [left, right, top, bottom] = [46, 632, 10, 210];
    const x = (t) => left + (right - left) * t / 1024;
    const y = (value) => bottom - (Math.log10(value) - low) / (high - low) * (bottom - top);
    const ticks = find(".ticks");
    const label = (text, attributes) => {
      const element = drawn("text", attributes);
      element.textContent = text;
      ticks.append(element);
    };
    for (let power = low; power <= high; power += 1) {
      ticks.append(drawn("path", { d: `M${left} ${y(10 ** power)}H${right}` }));
      label(power === 0 ? "1" : power === 1 ? "10" : `10${[...String(power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`, { x: left - 6, y: y(10 ** power) + 4, class: "end" });
    }
    for (const t of [0, 256, 512, 768, 1024]) label(String(t), { x: x(t), y: bottom + 18, class: t === 1024 ? "end" : "middle" });
    slider(root.querySelector("input"), (at) => {
      const { dim, values, least, enclosed } = data.distance[at];
      find(".dots").setAttribute("d", values.map((value, index) => `M${x(index + 1).toFixed(1)} ${y(value).toFixed(1)}h0`).join(""));
      const mark = find("circle");
      mark.setAttribute("cx", x(least));
      mark.setAttribute("cy", y(values[least - 1]));
      tell(`d = ${dim}: the least distance is at t = ${least}. It lies between ${enclosed[0]} and ${enclosed[1]}, and so it is not 0.`);
      return String(dim);
    });
  }

  {
    const { root, find, tell } = part("permutation");
    const { tokens, exact, orders } = data.permutation;
    const names = ["A", "B", "C", "D"];
    let order = [0, 1, 2, 3];
    const body = find("tbody");
    const move = (from, to, focus) => {
      if (to < 0 || to > 3 || from === to) return;
      const moved = [...order];
      moved.splice(to, 0, ...moved.splice(from, 1));
      order = moved;
      show();
      if (!focus) return;
      const row = body.rows[to];
      (row.querySelector(`[data-step="${focus}"]:enabled`) ?? row.querySelector("button:enabled")).focus();
    };
    const show = () => {
      const { outputs } = orders.find((one) => one.order.join() === order.join());
      body.replaceChildren(...order.map((token, place) => {
        const row = document.createElement("tr");
        row.draggable = true;
        const steps = [["up", -1, "↑", place === 0], ["down", 1, "↓", place === 3]].map(([name, , sign, off]) => `<button type="button" data-step="${name}" aria-label="Move ${names[token]} ${name}"${off ? " disabled" : ""}>${sign}</button>`);
        row.innerHTML = `<th scope="row">${names[token]} = (${tokens[token].join(", ").replaceAll("-", "−")})</th><td>${steps.join(" ")}</td><td>(${exact[token].join(", ")})</td><td>(${outputs[place].join(", ").replaceAll("-", "−")})</td>`;
        row.addEventListener("click", (event) => {
          const step = event.target.dataset?.step;
          if (step) move(place, place + (step === "up" ? -1 : 1), step);
        });
        row.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", String(place)));
        row.addEventListener("dragover", (event) => event.preventDefault());
        row.addEventListener("drop", (event) => {
          event.preventDefault();
          const from = Number(event.dataTransfer.getData("text/plain"));
          if (Number.isInteger(from) && from >= 0 && from < 4) move(from, place);
        });
        return row;
      }));
      const first = orders[0].outputs;
      const changed = order.filter((token, place) => outputs[place].some((value, column) => value !== first[token][column]));
      tell(`Order ${order.map((token) => names[token]).join(", ")}: the certified rows follow their tokens. In binary32 ${changed.length === 0 ? "no row differs from its row in the order A, B, C, D" : `the row${changed.length > 1 ? "s" : ""} of ${changed.map((token) => names[token]).join(", ")} differ${changed.length > 1 ? "" : "s"} in the last digits from the order A, B, C, D`}.`);
    };
    show();
  }
  section.hidden = false;
})();
