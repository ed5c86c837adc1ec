// ---- Tools

const tools = document.getElementById("tools");

// A button that opens a few more.
function menu(text, title, entries) {
  const place = make("details", { className: "menu" });
  const summary = make("summary", { title }, text);
  const items = entries.map(([says, about, act]) =>
    button(says, about, () => {
      place.open = false;
      act();
    }),
  );
  place.append(summary, make("div", { className: "entries" }, ...items));
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && place.open) {
      event.stopPropagation();
      place.open = false;
      summary.focus();
    }
  });
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !place.contains(relatedTarget)) place.open = false;
  });
  return place;
}

const runAll = button("Run all", "Runs every input from the top", () => run(0));
const stop = button("Stop", "Stops what runs", discard);
const look = button("", "Light, dark, or as the system is", () => {
  theme(THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length]);
  showLook();
});
const showLook = () => (look.textContent = `Colours: ${themeNow()}`);
showLook();

tools.append(runAll, stop);
if (isSheet) tools.append(button("Check answers", "Marks what you filled in", check));
tools.append(
  menu("Save", "Takes this lesson along", [
    ["Session", "A file for vjp", saveSession],
    ["Notebook", "A file for Jupyter", saveNotebook],
    ["Page", "This page as it is now", savePage],
  ]),
  button("Share", "Makes a link that carries your inputs", share),
  button("Present", "One input at a time, large; Esc leaves", () => presenter.begin()),
);
if (isSheet) {
  tools.append(
    menu("Print", "On paper", [
      ["With blanks", "To fill in by hand", () => paper(false)],
      ["With solutions", "With what belongs in the blanks", () => paper(true)],
    ]),
    button("Solutions", "Shows what belongs in the blanks", (event) => {
      const shown = event.currentTarget.getAttribute("aria-pressed") !== "true";
      event.currentTarget.setAttribute("aria-pressed", String(shown));
      solve(shown);
    }),
  );
  tools.lastElementChild.setAttribute("aria-pressed", "false");
} else {
  tools.append(button("Print", "On paper", () => paper(false)));
}
const stage = make(
  "span",
  { className: "stage" },
  button("◀", "Back (←)", () => presenter.back()),
  button("▶", "What comes out, then the next input (→)", () => presenter.next()),
  button("Leave", "Leaves the presentation (Esc)", () => presenter.end()),
);
all(stage, "button").forEach((key) => key.setAttribute("aria-label", key.title));
tools.append(look, stage, status);

let slow;
function setBusy(now) {
  busy = now;
  clearTimeout(slow);
  const show = () => {
    stop.disabled = !busy;
    runAll.disabled = busy;
    if (busy) say("running … Esc stops it");
  };
  // What takes a moment only does not flicker.
  if (now) slow = setTimeout(show, 150);
  else show();
}

document.addEventListener("keydown", (event) => {
  const { selectionStart, selectionEnd } = document.activeElement;
  const copies = selectionStart !== selectionEnd || !getSelection().isCollapsed;
  const ends = event.key === "Escape" || (event.key === "c" && event.ctrlKey && !copies);
  if (busy && ends) discard();
});

// A browser asks before answers or changed inputs are lost.
addEventListener("beforeunload", (event) => {
  const touched = cells.some((cell) => cell.typed || cell.edited || cell.given.some((text) => text.trim()));
  if (touched) event.preventDefault();
});

// ---- The lesson, and a prompt below it

document.querySelectorAll(".cell").forEach((element, k) => new Cell(lesson.steps[k], element));

function frame(label) {
  return make(
    "div",
    { className: "input" },
    make("pre", { className: "prompt", ariaHidden: "true" }, "vjp>"),
    make("pre", { className: "code" }, make("code", {}, label)),
  );
}

const place = document.getElementById("prompt");

function append(text) {
  const element = make("div", { className: "cell", role: "group" }, frame(text));
  element.setAttribute("aria-label", `Input ${cells.length + 1}`);
  place.before(element);
  const step = { narration: [], input: text, output: [], open: false, waits: false };
  const cell = new Cell(step, element, true);
  showPrompts(cell.prompt, text);
  cell.editor.changed();
  return cell;
}

const ghost = make("div", { className: "ghost" });
place.append(frame(""), ghost);
let resting;
const prompt = new Editor(place.querySelector(".code"), "Prompt: a new input", {
  enter: async () => {
    await getting;
    const text = prompt.text.trimEnd();
    if (busy && text) say(STILL);
    if (busy || text.trim() === "") return;
    prompt.recalled = 0;
    prompt.text = "";
    append(text);
    await run(cells.length - 1);
    place.scrollIntoView({ block: "nearest" });
  },
  change: (text) => {
    showPrompts(place.querySelector(".prompt"), text);
    ghost.textContent = "";
    clearTimeout(resting);
    if (text.trim() === "") return;
    resting = setTimeout(async () => {
      if (busy) return;
      await prompt.on.before();
      if (!engine) return;
      const answer = await engine.ask({ ask: "preview", text, at: prompt.area.selectionStart });
      if (text === prompt.text) ghost.textContent = answer.text ?? "";
    }, 80);
  },
  past: () => cells.map((cell) => cell.text),
  before: () => (getting ??= getReady().finally(() => (getting = undefined))),
});
prompt.area.placeholder = "try something; Tab completes a name";

setBusy(false);
current().ready.then(
  () => {
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    if (document.querySelector(".panel.live")) say("Point at a number of J. Click on a number of an input: a slider moves it.");
    restore();
  },
  (error) => say(`The engine cannot run in this browser: ${error.message}`),
);
