// The page alive: inputs are edited and run in the engine, which a worker holds. No framework.
"use strict";
{
  const lesson = JSON.parse(document.getElementById("lesson").textContent);
  const STOPPED = Symbol("stopped");
  const BLANK = "____";

  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in element) element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  // ---- The engine

  const workerUrl = URL.createObjectURL(
    new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }),
  );

  function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
    return bytes;
  }

  let compiled = null;

  class Engine {
    constructor() {
      this.waiting = new Map();
      this.number = 0;
      this.worker = new Worker(workerUrl);
      this.ready = new Promise((resolve, reject) => {
        this.worker.onmessage = ({ data }) => {
          if (data.ready) {
            compiled = data.ready;
            resolve();
          } else if (data.failed) {
            reject(new Error(data.failed));
          } else {
            this.waiting.get(data.number)?.resolve(data.answer);
            this.waiting.delete(data.number);
          }
        };
      });
      const packed = compiled
        ? undefined
        : bytesOf(globalThis.vjpEngine ?? document.getElementById("engine").textContent.trim());
      this.worker.postMessage({ begin: { packed, module: compiled } });
    }

    async ask(question) {
      await this.ready;
      return new Promise((resolve, reject) => {
        const number = this.number++;
        this.waiting.set(number, { resolve, reject });
        this.worker.postMessage({ number, question });
      });
    }

    end() {
      this.worker.terminate();
      for (const { reject } of this.waiting.values()) reject(STOPPED);
      this.waiting.clear();
    }
  }

  let engine = null;
  // The texts that the engine has run, in order.
  let ran = [];
  let busy = false;

  function current() {
    if (!engine) {
      engine = new Engine();
      ran = [];
    }
    return engine;
  }

  function discard() {
    engine?.end();
    engine = null;
    ran = [];
  }

  // ---- Cells

  const cells = [];

  class Cell {
    constructor(step, element, typed = false) {
      Object.assign(this, { ...step, element, typed, original: step.input, text: step.input });
      this.number = cells.push(this);
      this.outputElement = element.querySelector(".output");
      this.prompt = element.querySelector(".prompt");
      this.editor = new Editor(element.querySelector(".code"), `Input ${this.number}`, {
        enter: () => run(cells.indexOf(this)),
        change: (text) => {
          this.text = text;
          showPrompts(this.prompt, text);
          element.classList.toggle("changed", text !== this.original);
        },
        slide: () => slide(cells.indexOf(this)),
      });
      this.blanks = [];
      if (!typed) this.makeFields();
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
          if (event.key === "Enter") check();
        });
        output.append(field, part);
      }
    }

    show({ html, output, crashed }) {
      this.element.classList.remove("waiting");
      if (this.blanks.length > 0 && !this.edited) return;
      this.blanks = [];
      this.output = crashed ? [`error  ${crashed}`] : output;
      if (!this.outputElement) {
        this.outputElement = make("pre", { className: "output" });
        this.element.append(this.outputElement);
      }
      if (crashed) {
        const error = make("span", { className: "differs" }, "error");
        this.outputElement.replaceChildren(error, `  ${crashed}\n  this input was undone`);
      }
      else this.outputElement.innerHTML = html;
      this.outputElement.hidden = this.output.length === 0;
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
  }

  // Whether a cell is left out: it has a blank, or needs what a cell with a blank would make.
  function open(k) {
    const cell = cells[k];
    if (cell.text.includes(BLANK)) return true;
    return cell.waits && !cell.edited && cells.slice(0, k).some((c) => c.text.includes(BLANK));
  }

  async function runCell(k, shown) {
    const cell = cells[k];
    const text = cell.text;
    let answer = null;
    if (!open(k) && cell.crashed !== text) {
      if (shown) cell.element.classList.add("busy");
      try {
        const typed = cell.typed || cell.edited;
        answer = await current().ask({ ask: "input", text, typed });
      } finally {
        cell.element.classList.remove("busy");
      }
      if (answer.crashed) {
        cell.crashed = text;
        discard();
      }
    }
    if (engine) ran.push(text);
    if (shown && answer) cell.show(answer);
  }

  // Brings the engine to where the cells before `k` have run as they are now.
  async function bring(k) {
    const same = ran.length <= k && ran.every((text, at) => text === cells[at].text);
    if (!same) {
      await current().ask({ ask: "restart" });
      ran = [];
    }
    while (ran.length < k) {
      const before = ran.length;
      await runCell(before, false);
      if (!engine) return bring(k);
    }
  }

  // Runs a cell and those below it.
  async function run(from) {
    if (busy) return;
    setBusy(true);
    let at = from;
    try {
      cells[from].crashed = undefined;
      for (; at < cells.length; at++) {
        await bring(at);
        await runCell(at, true);
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

  // While a slider moves, only the newest position counts.
  let sliding = null;
  async function slide(k) {
    const idle = sliding === null && !busy;
    sliding = k;
    if (!idle) return;
    while (sliding !== null) {
      const from = sliding;
      sliding = null;
      await run(from);
      await new Promise(requestAnimationFrame);
    }
  }

  // ---- Editing

  class Editor {
    constructor(place, label, on) {
      this.on = on;
      this.paper = make("pre", { innerHTML: place.querySelector("code")?.innerHTML ?? "" });
      this.paper.setAttribute("aria-hidden", "true");
      this.area = make("textarea", { value: place.textContent, rows: 1, spellcheck: false });
      for (const name of ["autocapitalize", "autocomplete", "autocorrect"]) {
        this.area.setAttribute(name, "off");
      }
      this.area.setAttribute("aria-label", label);
      place.replaceWith(make("div", { className: "edit" }, this.paper, this.area));
      this.area.addEventListener("input", () => this.changed());
      this.area.addEventListener("keydown", (event) => this.key(event));
      this.area.addEventListener("blur", () => setTimeout(() => this.close(), 200));
      if (on.slide) {
        for (const event of ["click", "keyup"]) {
          this.area.addEventListener(event, () => this.offerSlider());
        }
      }
    }

    get text() {
      return this.area.value;
    }

    set text(text) {
      this.area.value = text;
      this.changed();
    }

    get box() {
      return this.area.closest(".input");
    }

    async changed() {
      const text = this.text;
      this.close();
      this.on.change(text);
      if (!engine || busy) {
        this.paper.textContent = text;
        return;
      }
      const { html } = await engine.ask({ ask: "paint", text }).catch(() => ({}));
      if (text !== this.text) return;
      if (html === undefined) this.paper.textContent = text;
      else this.paper.innerHTML = html;
    }

    insert(text, from = this.area.selectionStart, to = this.area.selectionEnd) {
      this.area.setRangeText(text, from, to, "end");
      return this.changed();
    }

    key(event) {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const at = this.area.selectionStart;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.on.enter();
      } else if (event.key === "Enter" && plain && !event.shiftKey) {
        event.preventDefault();
        if (this.list && this.chosen >= 0) this.take(this.chosen);
        else this.enter(at);
      } else if (event.key === "Escape") {
        this.left = true;
        this.close();
        this.slider?.remove();
      } else if (event.key === "Tab" && plain && !event.shiftKey && !this.left) {
        if (this.text.slice(0, at).split("\n").pop().trim() === "") return;
        event.preventDefault();
        if (this.list) this.choose(this.chosen + 1);
        else this.complete(at);
      } else if (this.list && ["ArrowDown", "ArrowUp"].includes(event.key)) {
        event.preventDefault();
        this.choose(this.chosen + (event.key === "ArrowDown" ? 1 : -1));
      } else if (this.on.past && plain && !this.text.includes("\n")) {
        if (event.key === "ArrowUp") this.recall(event, 1);
        if (event.key === "ArrowDown") this.recall(event, -1);
      }
      if (event.key.length === 1) this.left = false;
    }

    async enter(at) {
      const text = this.text;
      const inside = text.includes("\n") && text.slice(at).trim() !== "";
      const whole = !inside && (await current().ask({ ask: "whole", text }).catch(() => ({}))).whole;
      if (whole) return this.on.enter();
      const line = text.slice(0, at).split("\n").pop();
      const deeper = line.trimEnd().endsWith(":") ? "    " : "";
      return this.insert("\n" + line.match(/^ */)[0] + deeper);
    }

    recall(event, by) {
      const past = this.on.past();
      const at = (this.recalled ?? 0) + by;
      if (at < 0 || at > past.length) return;
      event.preventDefault();
      this.recalled = at;
      this.text = at === 0 ? "" : past[past.length - at];
    }

    async complete(at) {
      if (busy) return;
      await this.on.before?.();
      const { start, choices } = await current().ask({ ask: "complete", text: this.text, at });
      const common = choices.map(([word]) => word).reduce((a, b) => {
        let k = 0;
        while (k < a.length && a[k] === b[k]) k++;
        return a.slice(0, k);
      }, choices[0]?.[0] ?? "");
      if (choices.length === 1 || common.length > at - start) {
        await this.insert(common, start, at);
      }
      if (choices.length < 2) return;
      this.from = start;
      this.choices = choices.slice(0, 60);
      this.list = make("ul", { className: "choices", role: "listbox" });
      this.list.setAttribute("aria-label", "Completions");
      this.choices.forEach(([word, says], k) => {
        const item = make("li", { role: "option" }, word, make("small", {}, says));
        item.addEventListener("mousedown", (event) => {
          event.preventDefault();
          this.take(k);
        });
        this.list.append(item);
      });
      this.box.after(this.list);
      this.chosen = -1;
      say(`${choices.length} completions`);
    }

    choose(k) {
      const items = [...this.list.children];
      this.chosen = (k + items.length) % items.length;
      items.forEach((item, n) => item.setAttribute("aria-selected", String(n === this.chosen)));
      items[this.chosen].scrollIntoView({ block: "nearest" });
      say(this.choices[this.chosen].join(": "));
    }

    take(k) {
      const [word] = this.choices[k];
      const from = this.from;
      this.close();
      this.insert(word, from, this.area.selectionStart);
      this.area.focus();
    }

    close() {
      this.list?.remove();
      this.list = null;
    }

    // A slider for the number at the cursor.
    offerSlider() {
      const found = numberAt(this.text, this.area.selectionStart);
      if (!found) {
        this.slider?.remove();
        this.slider = null;
        return;
      }
      if (this.slider?.isConnected && this.slider.start === found.start) return;
      this.slider?.remove();
      const { start, value, step } = found;
      let length = found.length;
      const reach = Math.max(step === 1 ? 10 : 5, Math.abs(value));
      const range = make("input", { type: "range", min: value - reach, max: value + reach, step });
      range.value = value;
      range.setAttribute("aria-label", `The number ${value}`);
      const shown = make("output", {}, String(value));
      range.addEventListener("input", () => {
        const text = String(Number(Number(range.value).toFixed(6)));
        this.area.setRangeText(text, start, start + length);
        length = text.length;
        shown.textContent = text;
        this.changed();
        this.on.slide();
      });
      this.slider = make("div", { className: "slider" }, range, shown);
      this.slider.start = start;
      this.box.after(this.slider);
    }
  }

  // The number at a place of a text, its sign too, and how finely it moves: a leaf and v by tenths, what may
  // be an index or a count by whole numbers.
  function numberAt(text, at) {
    for (const match of text.matchAll(/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+/g)) {
      let start = match.index;
      const end = start + match[0].length;
      if (at < start || at > end || /[\p{L}_\d.]/u.test(text[start - 1] ?? "")) continue;
      if (/(^|[=(,[:])\s*-$/.test(text.slice(0, start))) start -= 1;
      const written = text.slice(start, end);
      const before = text.slice(0, start).split(/[;\n]/).pop();
      const after = text.slice(end).split(/[;\n]/)[0];
      const leaf = /^\s*[\p{L}_][\p{L}_\d₀-₉]*\s*=[\s\d.,\-[\]]*$/u.test(before) && /^[\s\d.,\-[\]]*$/.test(after);
      const weight = /(\.backward\(|:v\s)[^)]*$/.test(before);
      const fine = leaf || weight || /[.eE]/.test(written);
      return { start, length: end - start, value: Number(written), step: fine ? 0.1 : 1 };
    }
    return null;
  }

  // ---- Tools

  const tools = document.getElementById("tools");
  const status = make("span", { className: "status", role: "status" });
  const say = (text) => (status.textContent = text);
  const button = (text, title, act) => {
    const made = make("button", { type: "button", title }, text);
    made.addEventListener("click", act);
    tools.append(made);
    return made;
  };

  const runAll = button("Run all", "Runs every input from the top", () => run(0));
  const stop = button("Stop", "Stops what runs", discard);
  button("Save", "Gives you the session as a file for vjp", save);
  button("Share", "Makes a link that carries your inputs", share);
  if (lesson.steps.some((step) => step.output.some((line) => line.includes(BLANK)) || step.open)) {
    button("Check answers", "Marks the numbers you filled in", check);
  }
  const large = button("Large", "Larger text, for a room", () => {
    large.setAttribute("aria-pressed", String(document.body.classList.toggle("large")));
  });
  large.setAttribute("aria-pressed", "false");
  tools.append(status);

  let slow;
  function setBusy(now) {
    busy = now;
    clearTimeout(slow);
    const show = () => {
      stop.disabled = !busy;
      runAll.disabled = busy;
      if (busy) say("running …");
    };
    // What takes a moment only does not flicker.
    if (now) slow = setTimeout(show, 150);
    else show();
  }

  // What was stopped would stop a replay, too, and changed nothing: no file keeps it.
  const steps = () =>
    cells
      .filter((cell) => !cell.typed || cell.crashed !== cell.text)
      .map((cell) => ({ narration: cell.narration, input: cell.text, output: cell.lines() }));

  async function sessionText() {
    return (await current().ask({ ask: "session", steps: steps(), tail: lesson.tail })).session;
  }

  async function save() {
    if (busy) return;
    const url = URL.createObjectURL(new Blob([await sessionText()], { type: "text/plain" }));
    make("a", { href: url, download: lesson.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say(`saved as ${lesson.name}`);
  }

  // The answers are marked by an engine of their own, so that nothing here changes.
  async function check() {
    const text = await sessionText();
    const marker = new Engine();
    const { report, error, crashed } = await marker.ask({ ask: "check", text });
    marker.end();
    let place = document.getElementById("report");
    if (!place) {
      place = make("pre", { id: "report", className: "output", tabIndex: -1 });
      place.setAttribute("aria-label", "Your answers");
      document.getElementById("prompt").before(place);
    }
    place.textContent = report ?? `error  ${error ?? crashed}`;
    place.focus();
  }

  // ---- Links that carry the inputs

  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  async function share() {
    const edits = cells.flatMap((cell, k) => (cell.typed || !cell.edited ? [] : [[k, cell.text]]));
    const added = cells.filter((cell) => cell.typed).map((cell) => cell.text);
    const bytes = new TextEncoder().encode(JSON.stringify([edits, added]));
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    const text = btoa(String.fromCharCode(...packed));
    location.hash = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(copied ? "The link is copied." : "The link is in the address bar.");
  }

  async function restore() {
    if (location.hash.length < 2) return;
    try {
      const text = location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
      const bytes = await through(bytesOf(text.padEnd(Math.ceil(text.length / 4) * 4, "=")), new DecompressionStream("deflate-raw"));
      const [edits, added] = JSON.parse(new TextDecoder().decode(bytes));
      for (const [k, input] of edits) if (cells[k]) cells[k].editor.text = String(input);
      const first = Math.min(...edits.map(([k]) => k), cells.length);
      added.forEach((input) => append(String(input)));
      if (first < cells.length) await run(first);
    } catch {
      say("The link's inputs cannot be read.");
    }
  }

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
  ghost.setAttribute("aria-live", "polite");
  place.append(frame(""), ghost);
  let resting;
  const prompt = new Editor(place.querySelector(".code"), "Prompt: a new input", {
    enter: async () => {
      const text = prompt.text.replace(/[ \t]+$/, "");
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
        const answer = await engine.ask({ ask: "preview", text, at: prompt.area.selectionStart });
        if (text === prompt.text) ghost.textContent = answer.text ?? "";
      }, 80);
    },
    past: () => cells.map((cell) => cell.text),
    before: async () => {
      if (busy) return;
      setBusy(true);
      try {
        await bring(cells.length);
      } finally {
        setBusy(false);
      }
    },
  });
  prompt.area.placeholder = "try something: Enter runs it, Tab completes";

  setBusy(false);
  current().ready.then(
    () => {
      document.documentElement.dataset.ready = String(Math.round(performance.now()));
      restore();
    },
    (error) => say(`The engine cannot run in this browser: ${error.message}`),
  );
}
