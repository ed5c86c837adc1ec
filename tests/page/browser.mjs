// Uses two pages as a person does, in a real browser over its debugging pipe, and writes what it saw as JSON.
// Arguments: the browser, a folder for its profile, the lesson, the exercise sheet, a page with everything
// that is drawn, and the text of axe-core where there is one.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [browser, profile, lesson, sheet, drawn, axe] = process.argv.slice(2);
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", `--user-data-dir=${profile}`];
const child = spawn(browser, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const [to, from] = [child.stdio[3], child.stdio[4]];

let number = 0;
let rest = "";
const waiting = new Map();
const seen = { problems: [], requests: [] };

from.on("data", (data) => {
  rest += data;
  const messages = rest.split("\0");
  rest = messages.pop();
  for (const text of messages) {
    const message = JSON.parse(text);
    if (message.id !== undefined) waiting.get(message.id)(message);
    if (message.method === "Runtime.exceptionThrown") {
      seen.problems.push(message.params.exceptionDetails.exception?.description ?? "exception");
    }
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      seen.problems.push(message.params.entry.text);
    }
    if (message.method === "Network.requestWillBeSent") {
      const url = message.params.request.url;
      if (!/^(blob|file|data):/.test(url)) seen.requests.push(url);
    }
  }
});

function send(method, params = {}, sessionId = undefined) {
  const id = ++number;
  to.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
  });
}

async function open(path) {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`, {}, sessionId);
  const does = async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send("Runtime.evaluate", params, sessionId);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  };
  const until = async (expression) => {
    for (let k = 0; k < 300; k++) {
      if (await does(expression)) return true;
      await new Promise((go) => setTimeout(go, 100));
    }
    throw new Error(`never: ${expression}`);
  };
  const key = async (key, code, text, modifiers = 0) => {
    const params = { key, code: key, windowsVirtualKeyCode: code, text, modifiers };
    await send("Input.dispatchKeyEvent", { type: "keyDown", ...params }, sessionId);
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...params }, sessionId);
  };
  const type = (text) => send("Input.insertText", { text }, sessionId);
  const into = (label) => does(`{ const e = document.querySelector(':is(textarea, input)[aria-label="${label}"]'); e.focus(); e.select(); }`);
  await send("Page.navigate", { url: typeof path === "string" ? path : path.href }, sessionId);
  await until("document.documentElement?.dataset.ready !== undefined");
  const media = (name, value) =>
    send("Emulation.setEmulatedMedia", { features: [{ name, value }] }, sessionId);
  const paper = (on) => send("Emulation.setEmulatedMedia", { media: on ? "print" : "" }, sessionId);
  const size = (width, height, mobile) =>
    send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile }, sessionId);
  const presses = async (name, count = 1) => {
    const codes = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, Escape: 27 };
    for (let k = 0; k < count; k++) await key(name, codes[name]);
  };
  const hover = async (selector) => {
    const [x, y] = await does(`{ const e = ${selector}; e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); [b.x + b.width / 2, b.y + b.height / 2]; }`);
    await send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, sessionId);
  };
  // What axe-core finds wrong; null where it is not here.
  const wrong = async () => {
    if (!axe) return null;
    await does(readFileSync(axe, "utf8") + "; 0");
    return does("axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + ' | ' + n.failureSummary).slice(0, 3).join(' ; ')))");
  };
  const saved = async () => (await send("Page.printToPDF", {}, sessionId)).data.length;
  return {
    does, until, type, into, media, paper, size, presses, hover, wrong, saved,
    enter: () => key("Enter", 13, "\r"), tab: () => key("Tab", 9), alt: (name) => key(name, name === "ArrowUp" ? 38 : 40, undefined, 1),
  };
}

const outputs = "[...document.querySelectorAll('.output')].map((o) => o.textContent)";
const press = (name) => `[...document.querySelectorAll('button')].find((b) => b.textContent === '${name}').click()`;
const last = `[...document.querySelectorAll('.cell .output')].at(-1)?.textContent`;

try {
  const page = await open(pathToFileURL(lesson));
  seen.ready = await page.does("Number(document.documentElement.dataset.ready)");
  seen.written = await page.does(outputs);
  await page.does(press("Run all"));
  await page.does("new Promise((go) => setTimeout(go, 1500))");
  seen.again = await page.does(outputs);

  await page.into("Input 1");
  await page.type("x = [2, 3]");
  await page.enter();
  await page.until(`${outputs}[2].includes('52  1540')`);
  seen.edited = await page.does(`${outputs}[2]`);

  await page.into("Prompt: a new input");
  await page.type("3*x");
  await page.until("document.querySelector('.ghost').textContent !== ''");
  seen.preview = await page.does("document.querySelector('.ghost').textContent");
  await page.enter();
  await page.until(`${last} === '[6, 9]'`);
  await page.type("torch.si");
  await page.tab();
  await page.until("document.querySelector('.choices')");
  seen.choices = await page.does("document.querySelector('.choices').getBoundingClientRect().bottom <= innerHeight");
  await page.into("Prompt: a new input");
  await page.type("torch.sigmo");
  await page.tab();
  await page.until("document.activeElement.value.startsWith('torch.sigmoid')");
  await page.into("Prompt: a new input");
  await page.type("while True: x\n");
  await page.enter();
  await page.until("document.querySelector('.status').textContent.startsWith('running')");
  await page.does(press("Stop"));
  await page.until(`${last}?.includes('stopped')`);
  await page.type("x");
  await page.enter();
  await page.until(`${last} === '[2, 3]'`);
  await page.does(press("Share"));
  await page.until("location.hash.length > 1");
  const link = await page.does("location.href");

  await page.size(390, 800, true);
  const beyond = (e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight;
  seen.cut = await page.does(`[...document.querySelectorAll(".input:not(.lines) :is(.edit, textarea)")].filter(${beyond}).length`);

  const shared = await open(link);
  await shared.until(`${outputs}[2].includes('52  1540')`);
  seen.shared = await shared.does(`${outputs}[2]`);
  // A link that is pasted into the page while it is open.
  const pasted = await open(pathToFileURL(lesson));
  await pasted.does(`location.href = ${JSON.stringify(link)}`);
  await pasted.until(`${outputs}[2]?.includes('52  1540')`);

  // Enter is not lost while the inputs above the prompt run for the first time.
  const early = await open(pathToFileURL(lesson));
  await early.into("Prompt: a new input");
  await early.does(`new Promise((go) => {
    const area = document.activeElement;
    area.value = "y*2";
    area.dispatchEvent(new Event("input"));
    setTimeout(() => go(area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true }))), 81);
  })`);
  await early.until(`${last} === '[6, 34, 40]'`);

  // Alt and an arrow move the number at the cursor; the slider moves it while it is dragged.
  const moving = await open(pathToFileURL(lesson));
  await moving.into("Input 1");
  await moving.does("document.activeElement.setSelectionRange(5, 5)");
  await moving.alt("ArrowUp");
  await moving.until(`${outputs}[0].includes('1.1')`);
  seen.nudged = await moving.does("document.querySelector('textarea').value");
  seen.frames = await moving.does(`(async () => {
    const range = document.querySelector(".slider input");
    const last = () => [...document.querySelectorAll(".cell .output")].at(-1).textContent;
    const times = [];
    for (let k = 0; k < 80; k++) {
      const before = last();
      const begun = performance.now();
      range.value = k % 2 ? 2 + k / 40 : -2;
      range.dispatchEvent(new Event("input", { bubbles: true }));
      while (last() === before && performance.now() < begun + 1000) await new Promise((go) => setTimeout(go));
      times.push(performance.now() - begun);
      await new Promise(requestAnimationFrame);
    }
    times.sort((a, b) => a - b);
    return [times[20], times[40], times[76]];
  })()`);

  // A large number moves by steps that can be seen.
  await moving.into("Input 1");
  await moving.type("x = [2e9, 2]");
  await moving.does("document.activeElement.setSelectionRange(6, 6)");
  await moving.alt("ArrowDown");
  await moving.until("!document.querySelector('.busy') && document.activeElement.value !== 'x = [2e9, 2]'");
  seen.large = await moving.does("document.activeElement.value");

  // Panels, steps, formulas and pictures; with the keys alone.
  const pictures = await open(pathToFileURL(drawn));
  await pictures.does(press("Run all"));
  await pictures.until("!document.querySelector('.busy') && document.querySelector('button').disabled === false");
  await pictures.hover(`[...document.querySelectorAll('.panel [data-spot="entry 0 0 0"]')][0]`);
  seen.sum = await pictures.does("document.querySelector('.adding')?.textContent");
  seen.lit = await pictures.does("[...document.querySelectorAll('.panel .lit')].map((e) => e.dataset.spot).join(', ')");
  seen.path = await pictures.does("document.querySelectorAll('.figure > .graph .path').length");
  await pictures.does("document.querySelector('.panel').focus()");
  await pictures.presses("ArrowRight");
  await pictures.presses("ArrowDown");
  await pictures.presses("ArrowRight");
  seen.told = await pictures.does("document.querySelector('.status').textContent");
  await pictures.does("document.querySelector('.steps').focus()");
  await pictures.presses("ArrowRight");
  const box = (selector) => `document.querySelector(".steps ${selector}").getBoundingClientRect()`;
  seen.gap = await pictures.does(`${box(".turn:not([hidden])")}.top - ${box(".bar")}.bottom`);
  seen.turn = await pictures.does("document.querySelector('.steps .count').textContent + ' ' + document.querySelector('.turn:not([hidden])').textContent.trim().split('\\n')[0]");
  seen.litInGraph = await pictures.does("[...document.querySelectorAll('.steps svg .lit')].length");
  seen.pictures = await pictures.does("['math', 'svg.graph', 'svg.plot'].map((name) => document.querySelectorAll(name).length)");
  // Signs that a font lacks keep their columns, and brackets touch from line to line.
  const pieces = "[...[...document.querySelectorAll('.panel')].at(-1).querySelectorAll('bdi.right')].map((i) => i.getBoundingClientRect())";
  await pictures.does("document.documentElement.style.setProperty('--signs', '\"Liberation Mono\", monospace')");
  seen.columns = await pictures.does(`{ const ends = ${pieces}.map((box) => box.right); Math.max(...ends) - Math.min(...ends); }`);
  seen.gaps = await pictures.does(`Math.max(...${pieces}.slice(1).map((box, k) => box.top - ${pieces}[k].bottom))`);
  await pictures.does("document.documentElement.style.removeProperty('--signs')");
  seen.begins = await pictures.does("new Set([...document.querySelectorAll('.board mtr')].map((row) => Math.round(row.children[2].firstElementChild.getBoundingClientRect().left))).size");
  seen.wrong = { light: await pictures.wrong() };
  await pictures.media("prefers-color-scheme", "dark");
  seen.wrong.dark = await pictures.wrong();
  await pictures.media("prefers-color-scheme", "light");
  await pictures.size(390, 800, true);
  seen.wide = await pictures.does("document.documentElement.scrollWidth - innerWidth");
  await pictures.paper(true);
  seen.cut += await pictures.does("[...document.querySelectorAll('svg')].filter((e) => e.getBoundingClientRect().right > innerWidth).length");
  seen.cut += await pictures.does("[...document.querySelectorAll('.lines .edit')].filter((e) => e.scrollWidth > e.clientWidth).length");
  await pictures.paper(false);
  await pictures.size(1280, 720, false);
  seen.looks = [];
  for (let k = 0; k < 3; k++) {
    await pictures.does("[...document.querySelectorAll('button')].find((b) => b.textContent.startsWith('Colours')).click()");
    seen.looks.push(await pictures.does("getComputedStyle(document.body).backgroundColor"));
  }
  await pictures.does(press("Present"));
  for (const name of ["Home", "ArrowRight", "ArrowRight"]) await pictures.presses(name);
  seen.presented = await pictures.does("[...document.querySelectorAll('.cell')].filter((c) => c.offsetParent !== null).map((c) => c.querySelector('textarea').value + ' / ' + (c.querySelector('.output').offsetParent !== null))");
  await pictures.presses("ArrowRight");
  seen.presented.push(await pictures.does("document.querySelectorAll('.cell')[1].querySelector('.output').offsetParent !== null"));
  await pictures.presses("Escape");
  seen.printed = await pictures.saved();

  // A page saved as it is opens as it was.
  await moving.does("globalThis.kept = []; const create = URL.createObjectURL; URL.createObjectURL = (blob) => { kept.push(blob.text()); return create(blob); }");
  await moving.does(press("Notebook"));
  await moving.until("kept.length === 1");
  seen.notebook = await moving.does("kept.at(-1)");
  await moving.does(press("Page"));
  const kept = join(profile, "kept.html");
  writeFileSync(kept, await moving.does("kept.at(-1)"));
  seen.kept = [await moving.does(outputs)];
  const again = await open(pathToFileURL(kept));
  seen.kept.push(await again.does(outputs));
  await again.does(press("Run all"));
  await again.does("new Promise((go) => setTimeout(go, 1500))");
  seen.kept.push(await again.does(outputs));

  const exercise = await open(pathToFileURL(sheet));
  await exercise.does("document.querySelectorAll('.blank').forEach((field, k) => (field.value = ['6', '120', '9', '9'][k] ?? ''))");
  await exercise.does(press("Check answers"));
  await exercise.until("document.getElementById('report') !== null");
  seen.report = await exercise.does("document.getElementById('report').textContent");
  seen.marks = await exercise.does("[...document.querySelectorAll('.mark')].map((m) => m.textContent)");
  // A page saved with answers has them in fields, and a link carries them.
  await exercise.does("globalThis.kept = []; const create = URL.createObjectURL; URL.createObjectURL = (blob) => { kept.push(blob.text()); return create(blob); }");
  await exercise.does(press("Page"));
  const filled = join(profile, "filled.html");
  writeFileSync(filled, await exercise.does("kept.at(-1)"));
  await exercise.does(press("Share"));
  await exercise.until("location.hash.length > 1");
  const answers = "[...document.querySelectorAll('.blank')].map((field) => field.value)";
  seen.answers = [await exercise.does(answers)];
  for (const place of [pathToFileURL(filled), await exercise.does("location.href")]) {
    const again = await open(place);
    await again.until(`${answers}[0] === '6'`);
    seen.answers.push(await again.does(answers));
  }
  // An input that is changed and changed back has its fields again, with the answers.
  const original = await exercise.does("document.querySelectorAll('textarea')[1].value");
  for (const text of ["x = [1, 3]; x", original]) {
    await exercise.into("Input 2");
    await exercise.type(text);
    await exercise.enter();
    await exercise.until(`${outputs}[0].includes('[1, 3]') === ${text !== original}`);
    await exercise.until("!document.querySelector('.busy')");
  }
  seen.answers.push(await exercise.does(answers));
  await exercise.does(press("Solutions"));
  await exercise.until("document.querySelector('.solution') !== null");
  seen.solved = await exercise.does("document.querySelector('.solution').textContent");
  seen.wrong.sheet = await exercise.wrong();
  seen.unnamed = await exercise.does(
    "[...document.querySelectorAll('textarea, input, button')].filter((e) => !(e.getAttribute('aria-label') || e.textContent)).length",
  );
} catch (error) {
  seen.problems.push(error.message);
}
console.log(JSON.stringify(seen));
child.kill();
process.exit(0);
