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
    // Tab goes on to the next place, until something is typed: then it completes.
    this.left = true;
    this.area.addEventListener("focus", () => (this.left = true));
    this.area.addEventListener("input", () => {
      this.left = false;
      this.changed();
    });
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () => setTimeout(() => this.close(), 200));
    if (on.slide) {
      for (const event of ["click", "keyup"]) {
        this.area.addEventListener(event, () => offerSlider(this));
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
      // While a number moves, the colours come with what it gives.
      if (sliding === null) this.paper.textContent = text;
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
    const [up, down] = [event.key === "ArrowUp", event.key === "ArrowDown"];
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
    } else if ((up || down) && event.altKey && this.on.slide) {
      event.preventDefault();
      nudge(this, up ? 1 : -1);
    } else if ((up || down) && this.list) {
      event.preventDefault();
      this.choose(this.chosen + (down ? 1 : -1));
    } else if ((up || down) && this.on.past && plain && !this.text.includes("\n")) {
      this.recall(event, up ? 1 : -1);
    }
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
    await getting;
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
      item.setAttribute("aria-selected", "false");
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        this.take(k);
      });
      this.list.append(item);
    });
    this.box.after(this.list);
    this.list.scrollIntoView({ block: "nearest" });
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
    if (this.list) say("");
    this.list?.remove();
    this.list = null;
  }
}
