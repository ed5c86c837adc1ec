// ---- What a person takes along: the session, the page, a link

// What was stopped would stop a replay, too, and changed nothing: no file keeps it.
const steps = () =>
  cells
    .filter((cell) => !cell.typed || cell.crashed !== cell.text)
    .map((cell) => ({ narration: cell.narration, input: cell.text, output: cell.lines() }));

const asFile = (kind) => current().ask({ ask: kind, steps: steps(), tail: lesson.tail });

async function sessionText() {
  return (await asFile("session")).session;
}

function give(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  say(`saved as ${name}`);
}

async function saveSession() {
  if (!busy) give(lesson.name, await sessionText(), "text/plain");
}

async function saveNotebook() {
  if (busy) return;
  const { notebook } = await asFile("notebook");
  give(lesson.name.replace(/\.vjp$/, ".ipynb"), notebook, "application/x-ipynb+json");
}

// This page as it is now; its inputs and outputs are those of the lesson from now on.
function savePage() {
  const page = document.documentElement.cloneNode(true);
  for (const name of ["data-ready", "data-theme"]) page.removeAttribute(name);
  page.querySelector("body").className = "";
  page.querySelector("#tools").replaceChildren();
  page.querySelector("#prompt").replaceChildren();
  page.querySelector("#report")?.remove();
  for (const element of page.querySelectorAll(".away")) element.classList.remove("away");
  // A page alone brings its engine along.
  const beside = page.querySelector("script[src]");
  beside?.replaceWith(...vjpEarly.pieces.map((piece) => make("script", { textContent: `vjpEngine("${piece}");` })));
  const copies = [...page.querySelectorAll(".cell")];
  const kept = cells.map((cell, k) => {
    const copy = copies[k];
    // What was filled in stays an answer.
    const lines = cell.output;
    const code = make("code", { innerHTML: cell.editor.paper.innerHTML });
    const prompts = cell.prompt.cloneNode(true);
    const input = make("div", { className: cell.editor.box.className }, prompts, make("pre", { className: "code" }, code));
    copy.className = "cell";
    copy.replaceChildren(input);
    if (lines.length > 0) {
      const output = make("pre", { className: "output" });
      if (cell.blanks.length > 0) output.textContent = lines.join("\n");
      else output.innerHTML = plain(cell.outputElement);
      copy.append(output);
    }
    return { narration: cell.narration, input: cell.text, output: lines, open: cell.open, waits: cell.waits, answers: cell.given };
  });
  const data = JSON.stringify({ ...lesson, steps: kept }).replaceAll("<", "\\u003c");
  page.querySelector("#lesson").textContent = data;
  const name = lesson.name.replace(/\.vjp$/, ".html");
  give(name, `<!doctype html>\n<!-- written by vjp page -->\n${page.outerHTML}\n`, "text/html");
}

// An output without what came alive in it.
function plain(output) {
  const copy = output.cloneNode(true);
  all(copy, ".adding, .bar").forEach((element) => element.remove());
  all(copy, "[tabindex]").forEach((element) => element.removeAttribute("tabindex"));
  for (const element of all(copy, ".live")) {
    element.classList.remove("live");
    for (const name of ["role", "aria-label"]) element.removeAttribute(name);
  }
  all(copy, ".turn").forEach((turn) => (turn.hidden = false));
  for (const name of ["lit", "here", "path", "waiting", "ahead"]) {
    all(copy, `.${name}`).forEach((element) => element.classList.remove(name));
  }
  return copy.innerHTML;
}

// ---- Links that carry the inputs and the answers

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

// Another link to this page, pasted where this one stands, opens like any other.
let shared = location.hash;
addEventListener("hashchange", () => {
  if (location.hash !== shared) location.reload();
});

async function share() {
  const edits = cells.flatMap((cell, k) => (cell.typed || !cell.edited ? [] : [[k, cell.text]]));
  const added = cells.filter((cell) => cell.typed).map((cell) => cell.text);
  const answers = cells.map((cell) => cell.given);
  const bytes = new TextEncoder().encode(JSON.stringify([edits, added, answers]));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...packed));
  shared = `#${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  location.replace(shared);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  say(copied ? "The link is copied." : "The link is in the address bar.");
}

async function restore() {
  if (location.hash.length < 2) return;
  try {
    const text = location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = await through(bytesOf(text), new DecompressionStream("deflate-raw"));
    const [edits, added, answers = []] = JSON.parse(new TextDecoder().decode(bytes));
    answers.forEach((given, k) => cells[k]?.answer(given));
    for (const [k, input] of edits) if (cells[k]) cells[k].editor.text = String(input);
    const first = Math.min(...edits.map(([k]) => k), cells.length);
    added.forEach((input) => append(String(input)));
    if (first < cells.length) await run(first);
  } catch {
    say("The link's inputs cannot be read.");
  }
}
