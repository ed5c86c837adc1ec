// ---- Exercise sheets: answers are marked while they are typed, and the solutions can be shown

const isSheet = lesson.steps.some((step) => step.open || step.output.some((line) => line.includes(BLANK)));

// The answers are marked by an engine of their own, so that nothing here changes.
let marker = null;
async function marked() {
  const text = await sessionText();
  marker ??= new Engine();
  return marker.ask({ ask: "check", text, ...lesson.options });
}

let soon;
let marking = false;
function markSoon() {
  clearTimeout(soon);
  soon = setTimeout(mark, 400);
}

// Shows beside each cell with answers how it goes; what is open is not mentioned.
async function mark() {
  clearTimeout(soon);
  if (busy || marking) return markSoon();
  marking = true;
  try {
    showMarks(await marked());
  } finally {
    marking = false;
  }
}

// What is wrong stands beside each answer, and in the report, once it was asked for, how many are right.
function showMarks({ marks = [], report, error, crashed }) {
  cells.forEach((cell, k) => {
    const own = marks.filter((m) => m.step === k);
    const filled = cell.blanks.some((field) => field.value.trim() !== "") || cell.text !== cell.original;
    let place = cell.element.querySelector(".mark");
    if (own.length === 0 || !filled) return place?.remove();
    if (!place) {
      place = make("pre", { className: "mark", role: "status" });
      cell.outputElement.after(place);
    }
    const right = own.every((m) => m.grade === "right");
    const wrong = own.some((m) => m.grade === "wrong");
    place.className = `mark ${right ? "agrees" : wrong ? "differs" : "prose"}`;
    // The number of the question and the sign stand here in other ways.
    const said = own.map((m) => m.hint).join("").replace(/^ *\d+ of \d+ */gm, "").replace(/^ +/gm, "  ").trimEnd();
    // Where nothing is known about a wrong answer, the answer alone says little.
    const known = said.includes("\n") || !said.startsWith("✗") ? said : "✗ not yet";
    place.textContent = right ? "✓ right" : wrong ? known : "a part is still open";
    // Each blank by itself, where each is an answer.
    const holds = own.flatMap((m) => m.holds);
    const each = holds.length === cell.blanks.length;
    cell.blanks.forEach((field, n) => {
      const amiss = each ? !holds[n] : wrong;
      field.setAttribute("aria-invalid", String(amiss && field.value !== ""));
    });
  });
  const place = document.getElementById("report");
  const said = report?.trimEnd().split("\n").at(-1) ?? `error  ${error ?? crashed}`;
  if (place && place.textContent !== said) place.textContent = said;
}

async function check() {
  const answer = await marked();
  let place = document.getElementById("report");
  if (!place) {
    place = make("pre", { id: "report", className: "output", tabIndex: -1, role: "region" });
    place.setAttribute("aria-label", "Your answers");
    document.getElementById("prompt").before(place);
  }
  showMarks(answer);
  place.focus();
}

// What the program prints where a blank is: shown beside it, for a teacher and for print.
async function solve(shown) {
  document.body.classList.toggle("solutions", shown);
  if (!shown) return all(document, ".solution").forEach((place) => place.remove());
  if (busy) return;
  setBusy(true);
  try {
    for (const [k, cell] of cells.entries()) {
      if (cell.blanks.length === 0 || open(k)) continue;
      await bring(k);
      ran.length = k;
      const answer = await current().ask({ ask: "input", at: k, text: cell.text, typed: false });
      if (engine && !answer.lost) ran.push(cell.text);
      let place = cell.element.querySelector(".solution");
      if (!place) {
        place = make("pre", { className: "output solution" });
        cell.outputElement.after(place);
      }
      place.innerHTML = answer.html ?? "";
      enliven(place);
    }
  } finally {
    setBusy(false);
  }
}
