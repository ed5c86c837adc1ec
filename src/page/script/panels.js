// ---- Panels: what belongs to a number of J is lit, and its column is added up below

// Each piece of a panel with what it stands for: kind, leaf, row, column.
function spotsOf(panel) {
  panel.spots ??= all(panel, "[data-spot]").map((element) => {
    const [kind, ...numbers] = element.dataset.spot.split(" ");
    const at = numbers.map(Number);
    if (at.length === 1) return { element, kind, row: at[0] };
    if (at.length === 2) return { element, kind, leaf: at[0], column: at[1] };
    return { element, kind, leaf: at[0], row: at[1], column: at[2] };
  });
  return panel.spots;
}

const inRow = (a, b) => a.row !== undefined && a.row === b.row;
const inColumn = (a, b) => a.column !== undefined && a.leaf === b.leaf && a.column === b.column;

// A number between brackets where a sum needs them.
const factor = (text) => (/^[-−]/.test(text) ? `(${text})` : text);

// How a column's sum comes about: its terms, each with its row, and what they give.
function sumOf(panel, spot) {
  const spots = spotsOf(panel);
  const text = (kind, ...tests) =>
    spots.find((s) => s.kind === kind && tests.every((test) => test(s)))?.element.textContent.trim();
  const here = (s) => inColumn(s, spot);
  const entries = spots.filter((s) => s.kind === "entry" && here(s));
  const [product, gradient] = ["product", "gradient"].map((kind) => text(kind, here));
  const before = text("before", here);
  const name = text("column", here) ?? "";
  if (before !== undefined && ["before", "gradient"].includes(spot.kind)) {
    return { name, terms: [{ text: before }, { text: factor(product) }], result: gradient };
  }
  const terms = [];
  let next = 0;
  for (const entry of entries) {
    if (entry.row !== next) terms.push({ text: "…" });
    next = entry.row + 1;
    const weight = text("weight", (s) => s.row === entry.row) ?? "1";
    const slope = entry.element.textContent.trim();
    const absent = slope === "·";
    terms.push({ text: `${factor(weight)}×${factor(absent ? "0" : slope)}`, row: entry.row, absent });
  }
  return { name, terms, result: product ?? gradient };
}

function light(panel, spot) {
  const spots = spotsOf(panel);
  const key = spot ? spot.element.dataset.spot : "";
  if (panel.lit === key) return;
  panel.lit = key;
  for (const other of spots) {
    const { classList } = other.element;
    classList.toggle("lit", spot !== null && (inRow(other, spot) || inColumn(other, spot)));
    const same = spot !== null && inRow(other, spot) && inColumn(other, spot);
    classList.toggle("here", other === spot || same);
  }
  showSum(panel, spot?.column === undefined ? null : sumOf(panel, spot), spot);
  lightPath(panel, spot?.leaf);
}

// The graph that is drawn of a panel's backward, where one follows it.
function graphOf(panel) {
  const drawn = all(document, ".panel, .figure > .graph");
  const next = drawn[drawn.indexOf(panel) + 1];
  return next?.matches(".graph") ? next : null;
}

// Lights the ways from a leaf to the result in the graph.
function lightPath(panel, leaf) {
  const graph = graphOf(panel);
  if (!graph) return;
  const name = JSON.parse(panel.dataset.leaves)[leaf];
  const begin = all(graph, "[data-node]").find((node) => node.dataset.name === name);
  const end = graph.querySelector(".result")?.parentElement;
  const edges = all(graph, "g[data-edge]");
  // Everything that a step along the edges leads to.
  const reached = (from, one, other) => {
    const found = new Set(from ? [from.dataset.node] : []);
    let size;
    do {
      size = found.size;
      for (const { dataset } of edges) if (found.has(dataset[one])) found.add(dataset[other]);
    } while (found.size > size);
    return found;
  };
  const [ahead, back] = [reached(begin, "from", "to"), reached(end, "to", "from")];
  const on = (node) => ahead.has(node) && back.has(node);
  for (const node of all(graph, "[data-node]")) node.classList.toggle("path", on(node.dataset.node));
  const lit = edges.filter(({ dataset }) => on(dataset.from) && on(dataset.to)).map((edge) => edge.dataset.edge);
  for (const part of all(graph, "[data-edge]")) part.classList.toggle("path", lit.includes(part.dataset.edge));
}

function showSum(panel, sum, spot) {
  panel.querySelector(".adding")?.remove();
  if (!sum || sum.result === undefined) return;
  const line = make("span", { className: "adding" });
  line.setAttribute("aria-hidden", "true");
  if (sum.name) line.append(make("span", { className: "name" }, `${sum.name}  `));
  sum.terms.forEach((term, k) => {
    const part = make("span", { className: "term" }, term.text);
    part.style.setProperty("--k", k);
    part.classList.toggle("here", term.row !== undefined && term.row === spot.row);
    part.classList.toggle("absent", Boolean(term.absent));
    line.append(k > 0 ? " + " : "", part);
  });
  const result = make("span", { className: "term result" }, sum.result);
  result.style.setProperty("--k", sum.terms.length);
  line.append(" = ", result);
  panel.append(line);
}

// What is said of a piece to a person who listens.
function tell(panel, spot) {
  const spots = spotsOf(panel);
  const find = (kind, test) => spots.find((s) => s.kind === kind && test(s, spot))?.element.textContent.trim();
  const names = [find("row", inRow), find("column", inColumn)].filter(Boolean).join(", ");
  const own = spot.element.textContent.trim();
  const sum = spot.column === undefined ? null : sumOf(panel, spot);
  const added = sum?.result === undefined ? "" : `; ${sum.terms.map((t) => t.text).join(" + ")} = ${sum.result}`;
  say(`${names}: ${own === "·" ? "no path" : own}${added}`);
}

// The piece that an arrow key leads to: the nearest in that direction.
function toward(panel, from, key) {
  const box = (s) => s.element.getBoundingClientRect();
  const middle = (s) => [box(s).right, (box(s).top + box(s).bottom) / 2];
  const kinds = ["entry", "weight", "product", "before", "gradient"];
  const spots = spotsOf(panel).filter((s) => kinds.includes(s.kind));
  if (!from) return spots.find((s) => s.kind === "entry") ?? spots[0];
  const [x, y] = middle(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  for (const spot of spots) {
    const [a, b] = middle(spot);
    const [along, across] = dx ? [(a - x) * dx, Math.abs(b - y)] : [(b - y) * dy, Math.abs(a - x)];
    if (along < 2) continue;
    const far = along + 4 * across;
    if (!best || far < best.far) best = { spot, far };
  }
  return best?.spot ?? from;
}

function livePanel(panel) {
  if (spotsOf(panel).length === 0) return;
  panel.classList.add("live");
  panel.tabIndex = 0;
  panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", "Panel; the arrow keys go through its numbers");
  const at = (element) => {
    const piece = element.closest?.("[data-spot]");
    return piece ? spotsOf(panel).find((s) => s.element === piece) : undefined;
  };
  const still = () => panel.chosen ?? null;
  panel.addEventListener("pointerover", ({ target }) => light(panel, at(target) ?? still()));
  panel.addEventListener("pointerleave", () => light(panel, still()));
  panel.addEventListener("click", ({ target }) => {
    const spot = at(target);
    panel.chosen = spot && panel.chosen !== spot ? spot : null;
    light(panel, spot ?? null);
    if (spot) tell(panel, spot);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      panel.chosen = null;
      light(panel, null);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      panel.chosen = toward(panel, panel.chosen, event.key);
      if (!panel.chosen) return;
      light(panel, panel.chosen);
      tell(panel, panel.chosen);
    }
  });
  panel.addEventListener("blur", () => {
    panel.chosen = null;
    light(panel, null);
  });
}
