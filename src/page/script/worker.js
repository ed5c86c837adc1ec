// The engine in a worker of its own: the page never waits for it, and Stop ends it.
"use strict";

let engine;
let broken = false;

async function begin({ packed, module, options }) {
  if (!module) {
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const headers = { "Content-Type": "application/wasm" };
    module = await WebAssembly.compileStreaming(new Response(plain, { headers }));
  }
  const now = () => performance.timeOrigin + performance.now();
  engine = (await WebAssembly.instantiate(module, { page: { now } })).exports;
  ask({ ask: "restart", ...options });
  postMessage({ ready: module });
}

function ask(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const place = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
  const length = engine.ask();
  const answer = new Uint8Array(engine.memory.buffer, engine.answer(), length);
  return JSON.parse(new TextDecoder().decode(answer));
}

onmessage = ({ data }) => {
  if (data.begin) {
    begin(data.begin).catch((error) => postMessage({ failed: String(error) }));
    return;
  }
  let answer;
  try {
    answer = broken ? { lost: true } : ask(data.question);
  } catch (error) {
    // What happened inside is unknown: the page begins again with a new engine.
    broken = true;
    answer = { crashed: error instanceof RangeError ? "the calls nest too deep for a page" : String(error) };
  }
  postMessage({ number: data.number, answer });
};
