// The page of an action graph: what is open, where it lies, and what is shown of it.
//
// Input: the drawing as JSON, as `to_html` wrote it. Output: the SVG and the panel.
// Invariants: `place` and `ways` do what `place.py` does; all text of the rules goes in as text, never as HTML.
"use strict";

const ROOT = "page:root";

// ------------------------------------------------------------------------------------------ the drawing

function read(data) {
  const boxes = new Map(data.boxes.map((box) => [box.id, { ...box, inside: [] }]));
  for (const box of boxes.values()) if (box.parent) boxes.get(box.parent).inside.push(box.id);
  return { ...data, boxes };
}

function around(drawing, id) {
  const found = [];
  for (let box = drawing.boxes.get(id).parent; box && box !== ROOT; box = drawing.boxes.get(box).parent) found.push(box);
  return found;
}

function place(drawing, opened) {
  const { width: W, line: LINE, above: ABOVE, head: HEAD, pad: PAD, gap: GAP, between: BETWEEN, bend: BEND } = drawing.sizes;
  const sizes = new Map(), centres = new Map(), rects = new Map(), bends = new Map();
  const isOpen = (box) => box.layout && (box.id === ROOT || opened.has(box.id));

  function size(id) {
    if (!sizes.has(id)) {
      const box = drawing.boxes.get(id);
      sizes.set(id, isOpen(box) ? arrange(box) : [W, ABOVE + LINE * Math.max(1, box.lines.length)]);
    }
    return sizes.get(id);
  }

  function arrange(box) {
    const down = box.layout.direction === "down", spots = box.layout.spots;
    const all = spots.map((spot) => (spot[2] ? size(spot[2]) : [BEND, BEND]));
    const [lines, broad] = across(spots, all.map((one) => one[down ? 0 : 1]), (down ? W : ABOVE + LINE) + GAP);
    const [ranks, deep] = along(spots, all.map((one) => one[down ? 1 : 0]));
    const middles = spots.map((_, i) => (down ? [lines[i], ranks[i]] : [ranks[i], lines[i]]));
    const [w, h] = down ? [broad, deep] : [deep, broad];
    centres.set(box.id, middles.map(([x, y]) => [PAD + x, HEAD + PAD + y]));
    return [Math.max(w + 2 * PAD, W), h + HEAD + 2 * PAD];
  }

  function across(spots, breadths, step) {
    const order = spots.map((_, i) => i).sort((a, b) => spots[a][1] - spots[b][1] || a - b);
    const ends = new Map(), found = new Array(spots.length).fill(0);
    let line = 0, last = 0, at = 0;
    while (at < order.length) {
      const value = spots[order[at]][1];
      const same = order.slice(at).filter((i) => spots[i][1] === value);
      if (at) line += (value - last) * step;
      for (const i of same) {
        const end = ends.get(spots[i][0]);
        line = Math.max(line, end === undefined ? breadths[i] / 2 : end + GAP + breadths[i] / 2);
      }
      for (const i of same) {
        found[i] = line;
        ends.set(spots[i][0], line + breadths[i] / 2);
      }
      at += same.length;
      last = value;
    }
    return [found, Math.max(0, ...ends.values())];
  }

  function along(spots, depths) {
    const deepest = new Array(1 + Math.max(-1, ...spots.map((spot) => spot[0]))).fill(0);
    spots.forEach((spot, i) => (deepest[spot[0]] = Math.max(deepest[spot[0]], depths[i])));
    let start = 0;
    const starts = deepest.map((depth) => (start += depth + BETWEEN) - depth - BETWEEN);
    return [spots.map((spot) => starts[spot[0]] + deepest[spot[0]] / 2), Math.max(0, start - BETWEEN)];
  }

  function put(id, x, y) {
    const [w, h] = size(id), box = drawing.boxes.get(id);
    rects.set(id, { x, y, w, h });
    if (!isOpen(box)) return;
    const middles = centres.get(id).map(([cx, cy]) => [x + cx, y + cy]);
    bends.set(id, middles);
    box.layout.spots.forEach(([, , inner], i) => {
      if (!inner) return;
      const [iw, ih] = size(inner);
      put(inner, middles[i][0] - iw / 2, middles[i][1] - ih / 2);
    });
  }

  const [width, height] = size(ROOT);
  put(ROOT, 0, 0);
  rects.delete(ROOT);
  return { rects, bends, width, height };
}

function seenOf(drawing, placed, id) {
  return [id, ...around(drawing, id)].find((box) => placed.rects.has(box));
}

// `wanted`: whether a line of use is shown; those of control always are.
function ways(drawing, placed, wanted) {
  const shown = new Map();
  for (const line of drawing.lines) {
    if (!line.control && !wanted(line)) continue;
    const source = seenOf(drawing, placed, line.source), target = seenOf(drawing, placed, line.target);
    if (source === target) continue;
    const key = JSON.stringify([source, target, line.control]);
    if (!shown.has(key)) shown.set(key, { source, target, control: line.control, lines: [] });
    shown.get(key).lines.push(line);
  }
  return [...shown.values()].map((way) => ({ ...way, label: labelOf(drawing, way), ...pathOf(drawing, placed, way.source, way.target) }));
}

function labelOf(drawing, way) {
  if (drawing.boxes.get(way.source).layout || drawing.boxes.get(way.target).layout) return "";
  const plain = new Set(way.lines.map((line) => (line.kind === "then" || line.kind === "option" ? line.label : line.kind)));
  return plain.size === 1 ? [...plain][0] : "";
}

const xy = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

function pathOf(drawing, placed, source, target) {
  const a = placed.rects.get(source), b = placed.rects.get(target);
  const other = new Set([...around(drawing, target), ROOT]);
  const common = [...around(drawing, source), ROOT].find((box) => other.has(box));
  const layout = drawing.boxes.get(common).layout, down = layout.direction === "down";
  if (down ? b.y < a.y + a.h : b.x < a.x + a.w) return backOf(a, b, down, drawing.sizes.out);
  let via = [];
  if (drawing.boxes.get(source).parent === common && drawing.boxes.get(target).parent === common) {
    const route = layout.routes.find((one) => one[0] === source && one[1] === target);
    if (route) via = route[2];
  }
  const start = down ? [a.x + a.w / 2, a.y + a.h] : [a.x + a.w, a.y + a.h / 2];
  const end = down ? [b.x + b.w / 2, b.y] : [b.x, b.y + b.h / 2];
  const points = [start, ...via.map((i) => placed.bends.get(common)[i]), end];
  let path = `M${xy(start)}`;
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i - 1], [x2, y2] = points[i];
    const first = down ? [x1, (y1 + y2) / 2] : [(x1 + x2) / 2, y1];
    const second = down ? [x2, (y1 + y2) / 2] : [(x1 + x2) / 2, y2];
    path += `C${xy(first)} ${xy(second)} ${xy([x2, y2])}`;
  }
  return { path, middle: [(points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2] };
}

function backOf(a, b, down, out) {
  const far = (down ? Math.max(a.x + a.w, b.x + b.w) : Math.max(a.y + a.h, b.y + b.h)) + out;
  const start = down ? [a.x + a.w, a.y + a.h / 2] : [a.x + a.w / 2, a.y + a.h];
  const end = down ? [b.x + b.w, b.y + b.h / 2] : [b.x + b.w / 2, b.y + b.h];
  const first = down ? [far, start[1]] : [start[0], far], second = down ? [far, end[1]] : [end[0], far];
  const middle = [0, 1].map((i) => (start[i] + 3 * first[i] + 3 * second[i] + end[i]) / 8);
  return { path: `M${xy(start)}C${xy(first)} ${xy(second)} ${xy(end)}`, middle };
}

// ------------------------------------------------------------------------------------------ the page

function page(drawing, document, window) {
  const SVG = "http://www.w3.org/2000/svg";
  const get = (id) => document.getElementById(id);
  const stage = get("stage"), world = get("world"), panel = get("panel"), results = get("results"), search = get("search");
  const opened = new Set(drawing.opened), holders = [...drawing.boxes.values()].filter((box) => box.layout && box.id !== ROOT);
  const edges = new Map([...drawing.boxes.keys()].map((id) => [id, { out: [], into: [] }]));
  for (const line of drawing.lines) {
    edges.get(line.source).out.push(line);
    edges.get(line.target).into.push(line);
  }
  let view = { x: 0, y: 0, k: 1 }, placed = null, chosen = null;

  function make(tag, attributes = {}, ...children) {
    const svg = ["g", "rect", "text", "path", "title"].includes(tag);
    const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  // -- drawing

  function draw() {
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.box : undefined;
    placed = place(drawing, opened);
    const touches = (line) => chosen !== null && [line.source, line.target].some((end) => end === chosen || around(drawing, end).includes(chosen));
    const shapes = [...placed.rects.keys()].map(shape);
    const lines = ways(drawing, placed, (line) => get("uses").checked || touches(line)).map((way) => {
      const near = way.lines.some(touches) ? " near" : "";
      const group = make("g", { class: `way${way.control ? "" : " use"}${near}` }, make("path", { d: way.path, "marker-end": "url(#tip)" }));
      if (way.label) group.append(make("text", { x: way.middle[0], y: way.middle[1], "text-anchor": "middle" }, way.label));
      return group;
    });
    world.replaceChildren(...shapes, ...lines);
    if (focused !== undefined) focusOn(focused);
  }

  function shape(id) {
    const box = drawing.boxes.get(id), rect = placed.rects.get(id), open = box.layout && opened.has(id);
    const group = make("g", {
      class: `box ${box.kind}${id === chosen ? " chosen" : ""}`, transform: `translate(${rect.x},${rect.y})`,
      tabindex: "0", role: "button", "data-box": id, "aria-label": `${box.title}, ${box.word}`,
    });
    if (box.layout) group.setAttribute("aria-expanded", String(Boolean(open)));
    if (box.mark) group.dataset.mark = box.mark;
    group.append(make("title", {}, box.title), make("rect", { class: "face", width: rect.w, height: rect.h, rx: 4 }));
    if (open) {
      group.append(make("text", { class: "title", x: 10, y: 17 }, `▾ ${box.title}`));
    } else {
      group.append(make("rect", { class: "stripe", width: 4, height: rect.h, rx: 2 }));
      group.append(make("text", { class: "kind", x: 10, y: 12 }, box.layout ? `▸ ${box.word}` : box.word));
      box.lines.forEach((line, i) => group.append(make("text", { x: 10, y: 12 + 14 * (i + 1) }, line)));
    }
    return group;
  }

  function boxElement(id) {
    return [...world.children].find((node) => node.dataset.box === id);
  }

  function focusOn(id) {
    const node = boxElement(id);
    if (node) node.focus({ preventScroll: true });
  }

  // -- where one looks

  function look() {
    world.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.k})`);
  }

  function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
    const k = Math.min(4, Math.max(0.05, view.k * factor));
    view = { x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k, k };
    look();
  }

  function fit() {
    const k = Math.min(1.2, stage.clientWidth / placed.width, stage.clientHeight / placed.height) || 1;
    view = { x: (stage.clientWidth - k * placed.width) / 2, y: Math.max(0, (stage.clientHeight - k * placed.height) / 2), k };
    look();
  }

  // Moves as little as is needed for a box to be seen; a large one is seen from its beginning.
  function show(id, centre) {
    const rect = placed.rects.get(id);
    if (!rect) return;
    if (centre) view.k = Math.max(view.k, 0.75);
    for (const [axis, size, room] of [["x", "w", stage.clientWidth], ["y", "h", stage.clientHeight]]) {
      const length = Math.min(rect[size] * view.k, room - 20), start = rect[axis] * view.k + view[axis];
      if (centre) view[axis] += (room - length) / 2 - start;
      else if (start < 10) view[axis] += 10 - start;
      else if (start + length > room - 10) view[axis] -= start + length - room + 10;
    }
    look();
  }

  // -- what one does

  // The box stays where it is on the screen while what is in it comes or goes.
  function toggle(id) {
    if (!drawing.boxes.get(id).layout) return;
    const before = placed.rects.get(id);
    if (!opened.delete(id)) opened.add(id);
    draw();
    const after = placed.rects.get(id);
    view.x += (before.x - after.x) * view.k;
    view.y += (before.y - after.y) * view.k;
    look();
    focusOn(id);
  }

  function choose(id) {
    chosen = id;
    draw();
    tell(id);
  }

  function reveal(id) {
    if (!drawing.boxes.has(id)) return;
    for (const box of around(drawing, id)) opened.add(box);
    choose(id);
    show(id, true);
    focusOn(id);
  }

  function all(open) {
    for (const box of holders) if (open) opened.add(box.id); else if (box.kind !== "band") opened.delete(box.id);
    draw();
    fit();
  }

  // -- the panel

  function tell(id) {
    const box = drawing.boxes.get(id), parts = [make("h2", {}, box.title)];
    const above = around(drawing, id).reverse().map((one) => drawing.boxes.get(one).title).join(" › ");
    parts.push(make("p", { class: "faint" }, [above, box.word, box.mark].filter(Boolean).join(" · ")));
    if (box.layout) parts.push(button(opened.has(id) ? "close it" : "open it", () => { toggle(id); tell(id); }));
    if (box.place) parts.push(...rulesOf(box.place));
    if (box.clauses.length) parts.push(make("h3", {}, "Clauses"), ...box.clauses.map(clauseOf));
    parts.push(...listOf("Leads to", edges.get(id).out, "target"), ...listOf("Comes from", edges.get(id).into, "source"));
    parts.push(...listOf("Inside", box.inside.map((inner) => ({ inner, kind: drawing.boxes.get(inner).word, label: "" })), "inner"));
    get("told").replaceChildren(...parts);
    panel.hidden = false;
    const marked = panel.querySelector("mark");
    if (marked) marked.scrollIntoView({ block: "center" });
    panel.scrollTop = 0;
    window.history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  }

  function button(text, work) {
    const made = make("button", { type: "button" }, text);
    made.addEventListener("click", work);
    return made;
  }

  function rulesOf({ file, line, end }) {
    const text = drawing.files[file];
    const head = make("h3", {}, `${file}:${line}`);
    if (text === undefined) return [head];
    const pre = make("pre", { class: "rules", tabindex: "0", "aria-label": `rules, from line ${line}` });
    text.split("\n").forEach((words, i) => {
      const here = i + 1 >= line && i + 1 <= end;
      const row = make(here ? "mark" : "span", { class: "row" }, make("span", { class: "number" }, String(i + 1)), `${words}\n`);
      pre.append(row);
    });
    return [head, pre];
  }

  function clauseOf(number) {
    const clause = drawing.clauses[number];
    const head = make("p", { class: "clause-head" }, make("b", {}, `§${clause.id} `), `${clause.title} `);
    head.append(make("span", { class: "faint" }, `${clause.part}, ${clause.file}:${clause.line}`));
    const text = make("div", { class: "clause" }, head);
    text.append(get(`clause-text-${number}`).content.cloneNode(true));
    return text;
  }

  function listOf(title, items, end) {
    if (!items.length) return [];
    const list = make("ul");
    for (const item of items) {
      const words = [item.kind, item.label].filter(Boolean).join(" ");
      const entry = make("li", {}, make("span", { class: "faint" }, `${words} `), button(drawing.boxes.get(item[end]).title, () => reveal(item[end])));
      list.append(entry);
    }
    return [make("h3", {}, title), list];
  }

  function close() {
    panel.hidden = true;
    const was = chosen;
    chosen = null;
    draw();
    if (was !== null) focusOn(was);
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  }

  // -- searching

  const MOST = 60;

  function find(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    if (!wanted.length) return [];
    return [...drawing.boxes.values()].filter((box) => box.id !== ROOT && wanted.every((word) => box.found.includes(word)));
  }

  function list(boxes, none) {
    const rows = boxes.slice(0, MOST).map((box) => {
      const row = button(box.title, () => { results.hidden = true; reveal(box.id); });
      row.append(make("span", { class: "faint" }, ` ${box.word}`));
      return make("li", {}, row);
    });
    if (boxes.length > MOST) rows.push(make("li", { class: "faint" }, `and ${boxes.length - MOST} more`));
    if (!boxes.length) rows.push(make("li", { class: "faint" }, none));
    results.replaceChildren(...rows);
    results.hidden = false;
  }

  search.addEventListener("input", () => {
    if (search.value.trim()) list(find(search.value), "nothing of that name");
    else results.hidden = true;
  });
  search.addEventListener("keydown", (event) => {
    const first = results.hidden ? null : results.querySelector("button");
    if (event.key === "Enter" && first) first.click();
    else if (event.key === "ArrowDown" && first) first.focus();
    else if (event.key === "Escape") { search.value = ""; results.hidden = true; search.blur(); }
    else return;
    event.preventDefault();
  });
  results.addEventListener("keydown", (event) => {
    const rows = [...results.querySelectorAll("button")], at = rows.indexOf(document.activeElement);
    if (event.key === "ArrowDown") (rows[at + 1] || rows[at]).focus();
    else if (event.key === "ArrowUp") (rows[at - 1] || search).focus();
    else if (event.key === "Escape") { results.hidden = true; search.focus(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const mark of document.querySelectorAll("[data-list]"))
    mark.addEventListener("click", () => list([...drawing.boxes.values()].filter((box) => !box.layout && box.mark === mark.dataset.list), "none"));

  // -- mouse and keys

  let drag = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { id: event.pointerId, x: event.clientX, y: event.clientY, far: false };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!drag || drag.id !== event.pointerId) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.far && Math.hypot(dx, dy) < 4) return;
    if (!drag.far) stage.setPointerCapture(event.pointerId);
    drag = { ...drag, x: event.clientX, y: event.clientY, far: true };
    view.x += dx;
    view.y += dy;
    look();
  });
  const drop = () => { const was = drag; drag = null; return was; };
  stage.addEventListener("pointercancel", drop);
  stage.addEventListener("pointerup", (event) => {
    const was = drop();
    if (was && was.far) return;
    const box = event.target.closest("[data-box]");
    results.hidden = true;
    if (!box) return;
    const id = box.dataset.box, rect = placed.rects.get(id);
    const head = stage.getBoundingClientRect();
    const deep = (event.clientY - head.top - view.y) / view.k - rect.y;
    // A click into an open box, beside what is in it, is none; one on its title closes it.
    if (!drawing.boxes.get(id).layout || event.detail === 0) { choose(id); focusOn(id); }
    else if (!opened.has(id) || deep <= drawing.sizes.head) { choose(id); toggle(id); tell(id); }
  });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const head = stage.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - head.left, event.clientY - head.top);
  }, { passive: false });
  world.addEventListener("focusin", (event) => { if (event.target.dataset.box && !drag) show(event.target.dataset.box); });

  const MOVES = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "TEXTAREA"].includes(event.target.tagName)) return;
    const id = event.target.dataset ? event.target.dataset.box : undefined;
    const inPanel = panel.contains(event.target);
    if (event.key === "/") search.focus();
    else if (event.key === "Escape") close();
    else if (inPanel || event.target.tagName === "BUTTON") return;
    else if (event.key === "Enter" && id) { choose(id); focusOn(id); }
    else if (event.key === " " && id) toggle(id);
    else if (MOVES[event.key]) { view.x += MOVES[event.key][0]; view.y += MOVES[event.key][1]; look(); }
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "o") all(true);
    else if (event.key === "c") all(false);
    else return;
    event.preventDefault();
  });
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    reveal(decodeURIComponent(link.getAttribute("href").slice(1)));
  });
  for (const [id, work] of Object.entries({
    in: () => zoom(1.25), out: () => zoom(0.8), fit, "open-all": () => all(true), "close-all": () => all(false), close,
  })) get(id).addEventListener("click", () => work());
  get("uses").addEventListener("change", draw);

  draw();
  fit();
  const start = decodeURIComponent(window.location.hash.slice(1));
  if (start) reveal(start);
}

if (typeof document !== "undefined") page(read(JSON.parse(document.getElementById("drawing").textContent)), document, window);
if (typeof module !== "undefined") module.exports = { read, place, ways };
