// ---- How the page looks: light and dark, a room, paper

const THEMES = ["auto", "light", "dark"];

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  memory.set("theme", name);
}

const themeNow = () => document.documentElement.dataset.theme ?? "auto";
const remembered = memory.get("theme");
if (THEMES.includes(remembered)) theme(remembered);

// One input at a time, for a room: first what is asked, then what comes out.
const presenter = {
  at: 0,
  told: false,

  // The narration that stands before a cell, or before others that follow it, belongs to it.
  parts(cell) {
    const parts = [cell.element];
    let before = cell.element.previousElementSibling;
    while (before?.classList.contains("cell")) before = before.previousElementSibling;
    while (before && !before.classList.contains("cell")) {
      parts.unshift(before);
      before = before.previousElementSibling;
    }
    return parts;
  },

  begin() {
    const seen = cells.findIndex((cell) => cell.element.getBoundingClientRect().bottom > 80);
    document.body.classList.add("presenting");
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.go(Math.max(0, seen), false);
    document.activeElement?.blur();
  },

  end() {
    document.body.classList.remove("presenting");
    all(document, ".away").forEach((element) => element.classList.remove("away"));
    all(document, ".untold").forEach((element) => element.classList.remove("untold"));
    if (document.fullscreenElement) document.exitFullscreen();
    cells[this.at]?.element.scrollIntoView({ block: "center" });
    say("");
  },

  get on() {
    return document.body.classList.contains("presenting");
  },

  go(at, told) {
    if (at < 0 || at >= cells.length) return say(at < 0 ? "This is the first input." : "That was the last input.");
    this.at = at;
    const main = document.querySelector("main");
    const shown = new Set(this.parts(cells[at]));
    for (const element of main.children) element.classList.toggle("away", !shown.has(element));
    this.tell(told);
    scrollTo(0, 0);
  },

  tell(told) {
    const cell = cells[this.at];
    const any = cell.outputElement && !cell.outputElement.hidden;
    this.told = told || !any;
    cell.element.classList.toggle("untold", !this.told);
    say(`${this.at + 1} of ${cells.length}`);
  },

  next() {
    if (!this.told) this.tell(true);
    else this.go(this.at + 1, false);
  },

  back() {
    if (this.told && cells[this.at].outputElement && !cells[this.at].outputElement.hidden) this.tell(false);
    else this.go(this.at - 1, true);
  },

  key(event) {
    const typing = event.target.closest?.("textarea, input, .panel, .steps");
    if (event.key === "Escape" && !typing) return this.end();
    if (event.key === "Escape") return document.activeElement.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("button") && [" ", "Enter"].includes(event.key)) return;
    const moves = {
      ArrowRight: () => this.next(), PageDown: () => this.next(), " ": () => this.next(), Enter: () => this.next(),
      ArrowLeft: () => this.back(), PageUp: () => this.back(),
      Home: () => this.go(0, false), End: () => this.go(cells.length - 1, true),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  },
};

document.addEventListener("keydown", (event) => {
  if (presenter.on) presenter.key(event);
});

// A sheet on paper: with its blanks, or with what belongs there.
async function paper(solutions) {
  const before = document.body.classList.contains("solutions");
  if (isSheet && solutions !== before) await solve(solutions);
  print();
  if (isSheet && solutions !== before) await solve(before);
}
