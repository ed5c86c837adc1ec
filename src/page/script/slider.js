// ---- Numbers that move

// The number at a place of a text, its sign too, and how finely and how far it moves: a leaf and v by tenths,
// what may be an index or a count by whole numbers, a small factor, such as a rate, from 0 to ten times itself.
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
    const value = Number(written);
    const size = Math.abs(value);
    const found = { start, length: end - start, value };
    if (size > 0 && size < 1 && !leaf && !weight) {
      const ends = [0, 10 * value].sort((a, b) => a - b);
      return { ...found, step: 10 ** (Math.floor(Math.log10(size)) - 1), ends };
    }
    const reach = Math.max(fine ? 5 : 10, size);
    // Of a large number no step is too small to be written.
    const step = Math.max(fine ? 0.1 : 1, size && 10 ** (Math.floor(Math.log10(size)) - 3));
    return { ...found, step, ends: [value - reach, value + reach] };
  }
  return null;
}

const written = (value) => String(Number(value.toPrecision(9)));

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
  const { start, value, step, ends } = found;
  let length = found.length;
  const range = make("input", { type: "range", min: ends[0], max: ends[1], step });
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
