// Uses two pages as a person does, in a real browser over its debugging pipe, and writes what it saw as JSON.
// Arguments: the browser, a folder for its profile, the lesson, the exercise sheet.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

const [browser, profile, lesson, sheet] = process.argv.slice(2);
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
  const key = async (key, code, text) => {
    const params = { key, code: key, windowsVirtualKeyCode: code, text };
    await send("Input.dispatchKeyEvent", { type: "keyDown", ...params }, sessionId);
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...params }, sessionId);
  };
  const type = (text) => send("Input.insertText", { text }, sessionId);
  const into = (label) => does(`{ const e = document.querySelector(':is(textarea, input)[aria-label="${label}"]'); e.focus(); e.select(); }`);
  await send("Page.navigate", { url: typeof path === "string" ? path : path.href }, sessionId);
  await until("document.documentElement?.dataset.ready !== undefined");
  return { does, until, type, into, enter: () => key("Enter", 13, "\r"), tab: () => key("Tab", 9) };
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

  const shared = await open(link);
  await shared.until(`${outputs}[2].includes('52  1540')`);
  seen.shared = await shared.does(`${outputs}[2]`);

  const exercise = await open(pathToFileURL(sheet));
  await exercise.does("document.querySelectorAll('.blank').forEach((field, k) => (field.value = ['6', '120', '9', '9'][k] ?? ''))");
  await exercise.does(press("Check answers"));
  await exercise.until("document.getElementById('report') !== null");
  seen.report = await exercise.does("document.getElementById('report').textContent");
  seen.unnamed = await exercise.does(
    "[...document.querySelectorAll('textarea, input, button')].filter((e) => !(e.getAttribute('aria-label') || e.textContent)).length",
  );
} catch (error) {
  seen.problems.push(error.message);
}
console.log(JSON.stringify(seen));
child.kill();
process.exit(0);
