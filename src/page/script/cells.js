// ---- Cells

const cells = [];

class Cell {
  constructor(step, element, typed = false) {
    Object.assign(this, { ...step, element, typed, original: step.input, text: step.input });
    this.number = cells.push(this);
    this.outputElement = element.querySelector(".output");
    this.prompt = element.querySelector(".prompt");
    this.editor = new Editor(element.querySelector(".code"), `Input ${this.number}`, {
      enter: async () => {
        await getting;
        if (busy) return say(STILL);
        return run(cells.indexOf(this));
      },
      change: (text) => {
        this.text = text;
        showPrompts(this.prompt, text);
        element.classList.toggle("changed", text !== this.original);
        element.classList.toggle("waiting", text !== (this.ran ?? this.original));
      },
      slide: () => slide(cells.indexOf(this)),
    });
    this.blanks = [];
    if (!typed) this.makeFields();
    if (this.outputElement) enliven(this.outputElement);
  }

  get edited() {
    return this.text !== this.original;
  }

  // A blank in the output is a field to fill in.
  makeFields() {
    const output = this.outputElement;
    if (!output?.textContent.includes(BLANK)) return;
    const parts = output.textContent.split(BLANK);
    output.replaceChildren(parts[0]);
    for (const part of parts.slice(1)) {
      const field = make("input", { className: "blank", autocomplete: "off", spellcheck: false });
      field.setAttribute("autocapitalize", "off");
      this.blanks.push(field);
      field.setAttribute("aria-label", `Answer ${this.blanks.length} of input ${this.number}`);
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") mark();
      });
      field.addEventListener("input", () => {
        field.style.width = `${Math.max(7, field.value.length + 1)}ch`;
        markSoon();
      });
      output.append(field, part);
    }
    this.answer(this.answers ?? []);
  }

  // The fields are away while the input is another, and come back with it.
  putAway() {
    this.element.querySelector(".mark")?.remove();
    this.sheet = { blanks: this.blanks, output: this.output, nodes: [...this.outputElement.childNodes] };
    this.blanks = [];
  }

  layOut() {
    this.outputElement.replaceChildren(...this.sheet.nodes);
    this.outputElement.hidden = false;
    Object.assign(this, { blanks: this.sheet.blanks, output: this.sheet.output, sheet: undefined, html: undefined });
    markSoon();
  }

  get given() {
    return (this.sheet?.blanks ?? this.blanks).map((field) => field.value);
  }

  answer(answers) {
    this.blanks.forEach((field, k) => {
      if (!answers[k]) return;
      field.value = answers[k];
      field.dispatchEvent(new Event("input"));
    });
  }

  place() {
    if (!this.outputElement) {
      this.outputElement = make("pre", { className: "output" });
      this.element.append(this.outputElement);
    }
    return this.outputElement;
  }

  // What came of a text, which may have been changed while it ran.
  show({ html, output, crashed, paint }, ran = this.text) {
    this.ran = ran;
    this.element.classList.toggle("waiting", this.text !== ran);
    if (paint && this.text === ran) this.editor.paper.innerHTML = paint;
    if (!this.edited && this.sheet) this.layOut();
    if (this.blanks.length > 0 && !this.edited) return;
    if (this.blanks.length > 0) this.putAway();
    this.output = crashed ? [`error  ${crashed}`] : output;
    const place = this.place();
    if (crashed) {
      const error = make("span", { className: "differs" }, "error");
      place.replaceChildren(error, `  ${crashed}\n  this input was undone`);
      this.html = undefined;
    } else if (html !== this.html) {
      // What shows the same stays: a browser is slow where much is drawn.
      this.html = html;
      const before = place.querySelector(".steps")?.dataset.at;
      place.innerHTML = html;
      enliven(place, before);
    }
    place.hidden = this.output.length === 0;
  }

  // The output as a file holds it, with the answers that were filled in.
  lines() {
    if (this.blanks.length === 0) return this.output;
    let k = 0;
    const filled = () => this.blanks[k++].value.trim() || BLANK;
    return this.output.map((line) => line.replaceAll(BLANK, filled));
  }
}

function showPrompts(element, text) {
  const lines = text.split("\n").map((_, k) => (k === 0 ? "vjp>" : "...>"));
  element.textContent = lines.join("\n");
  element.closest(".input").classList.toggle("lines", lines.length > 1);
}

// What an output holds comes alive.
function enliven(output, at) {
  all(output, ".panel").forEach(livePanel);
  all(output, ".steps").forEach((steps) => liveSteps(steps, at));
  // What is wider than the page can be moved by keys.
  for (const place of [output, ...all(output, ".figure, .picture")]) {
    if (place.scrollWidth > place.clientWidth && place.tabIndex < 0) place.tabIndex = 0;
  }
}

// Whether a cell is left out: it has a blank, or needs what a cell with a blank would make.
function open(k) {
  const cell = cells[k];
  if (cell.text.includes(BLANK)) return true;
  return cell.waits && !cell.edited && cells.slice(0, k).some((c) => c.text.includes(BLANK));
}

// Asks the engine to run a cell at its place.
function question(k, shown) {
  const cell = cells[k];
  const { text } = cell;
  const left = open(k) || cell.crashed === text;
  const typed = cell.typed || cell.edited;
  return { cell, text, left, shown, ask: { ask: "input", at: k, text: left ? null : text, typed, paint: shown && typed } };
}

// Takes its answer in; false where the engine cannot go back there, or has to begin anew.
function answered(k, { cell, text, left, shown }, answer) {
  if (answer.lost) return false;
  if (answer.crashed) cell.crashed = text;
  else {
    ran.length = k;
    ran.push(text);
  }
  if (shown && !left) cell.show(answer, text);
  if (answer.crashed) discard();
  return !answer.crashed;
}

// Brings the engine to where the cells before `k` have run as they are now.
async function bring(k) {
  let same = 0;
  while (same < Math.min(k, ran.length) && ran[same] === cells[same].text) same++;
  for (let at = same; at < k; at++) {
    const asked = question(at, false);
    if (answered(at, asked, await current().ask(asked.ask))) continue;
    if (engine) await restart();
    return bring(k);
  }
}

// While somebody types at the prompt, all above it runs; whoever wants to run something waits for that.
let getting;
async function getReady() {
  if (busy) return;
  setBusy(true);
  try {
    await bring(cells.length);
  } catch (error) {
    if (error !== STOPPED) throw error;
  } finally {
    setBusy(false);
  }
}

async function restart() {
  await current().ask({ ask: "restart", ...lesson.options });
  ran = [];
}

// An input that was typed here and emptied goes; those below it run without it.
function takeAway(k) {
  cells.splice(k, 1)[0].element.remove();
  if (k >= cells.length) return prompt.area.focus();
  cells[k].editor.area.focus();
  return run(k);
}

// Runs a cell and those below it: all are asked for at once, and shown as their answers come.
async function run(from) {
  if (getting) await getting;
  if (busy) return;
  if (cells[from].typed && cells[from].text.trim() === "") return takeAway(from);
  setBusy(true);
  let at = from;
  try {
    cells[from].crashed = undefined;
    while (at < cells.length) {
      await bring(at);
      const asked = cells.slice(at).map((_, k) => question(at + k, true));
      const answers = asked.map((one) => current().ask(one.ask));
      // Whoever stops waiting for them is told by the first.
      answers.forEach((answer) => answer.catch(() => {}));
      for (let k = 0; k < asked.length; k++) {
        asked[k].cell.element.classList.add("busy");
        let answer;
        try {
          answer = await answers[k];
        } finally {
          asked[k].cell.element.classList.remove("busy");
        }
        if (!answered(at, asked[k], answer)) {
          if (answer.lost) {
            if (engine) await restart();
          } else at++;
          break;
        }
        at++;
      }
    }
    say("");
  } catch (error) {
    if (error !== STOPPED) {
      say(`error: ${error.message ?? error}`);
      console.error(error);
    } else {
      cells[at].crashed = cells[at].text;
      cells[at].show({ crashed: "stopped", output: [] });
      cells.slice(at + 1).forEach((cell) => cell.element.classList.add("waiting"));
      say(`Input ${at + 1} was stopped; those below it did not run.`);
    }
  } finally {
    setBusy(false);
  }
}

// While a slider moves, only the newest position counts, once a frame.
let sliding = null;
let moved = false;
async function slide(k) {
  moved = true;
  if (sliding !== null) return (sliding = k);
  sliding = k;
  while (moved) {
    if (!busy) {
      moved = false;
      await run(sliding);
    }
    if (moved) await new Promise(requestAnimationFrame);
  }
  sliding = null;
}
