// ---- Numbers that move

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

const written = (value) => String(Number(value.toFixed(6)));

// Puts another number in the place of one, and runs what follows.
function put(editor, { start, length }, text) {
  editor.area.setRangeText(text, start, start + length);
  editor.on.slide();
  editor.changed();
}

// Alt and an arrow: the number at the cursor by one step.
function nudge(editor, by) {
  const found = numberAt(editor.text, editor.area.selectionStart);
  if (!found) return;
  const text = written(found.value + by * found.step);
  put(editor, found, text);
  editor.area.setSelectionRange(found.start + text.length, found.start + text.length);
  offerSlider(editor);
}

// A slider for the number at the cursor.
function offerSlider(editor) {
  const found = numberAt(editor.text, editor.area.selectionStart);
  if (!found) {
    editor.slider?.remove();
    editor.slider = null;
    return;
  }
  const old = editor.slider;
  if (old?.isConnected && old.start === found.start && old.querySelector("output").textContent === written(found.value)) return;
  editor.slider?.remove();
  const { start, value, step } = found;
  let length = found.length;
  const reach = Math.max(step === 1 ? 10 : 5, Math.abs(value));
  const range = make("input", { type: "range", min: value - reach, max: value + reach, step });
  range.value = value;
  range.setAttribute("aria-label", `The number ${value}`);
  const shown = make("output", {}, written(value));
  range.addEventListener("input", () => {
    const text = written(Number(range.value));
    put(editor, { start, length }, text);
    length = text.length;
    shown.textContent = text;
  });
  editor.slider = make("div", { className: "slider" }, range, shown);
  editor.slider.start = start;
  editor.box.after(editor.slider);
}
