// The engine in a worker of its own: the page never waits for it, and Stop ends it.
"use strict";

let engine;
let broken = false;

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

// The engine comes in pieces: it is unpacked and compiled while others are on their way.
let packed;
let compiled;

function take(piece) {
  if (!packed) {
    const unpacking = new DecompressionStream("gzip");
    packed = unpacking.writable.getWriter();
    const headers = { "Content-Type": "application/wasm" };
    compiled = WebAssembly.compileStreaming(new Response(unpacking.readable, { headers }));
    // Whoever waits for it is told.
    compiled.catch(() => {});
  }
  packed.write(bytesOf(piece)).catch(() => {});
}

// What the engine asks of the browser.
const page = {
  now: () => performance.timeOrigin + performance.now(),
  nfkc: (from, length, to) => {
    const memory = new Uint8Array(engine.memory.buffer);
    const text = new TextDecoder().decode(memory.subarray(from, from + length));
    return new TextEncoder().encodeInto(text.normalize("NFKC"), memory.subarray(to)).written;
  },
};

async function begin({ module, options }) {
  packed?.close().catch(() => {});
  const first = !module;
  module ??= await compiled;
  engine = (await WebAssembly.instantiate(module, { page })).exports;
  ask({ ask: "restart", ...options });
  postMessage({ ready: module });
  // A function is compiled when it runs first: better now than when somebody waits.
  if (first) {
    ask({ ask: "input", text: "x = [1, 2]; y = 3*x^2; y.backward([1, 10])" });
    ask({ ask: "restart", ...options });
  }
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
  if (data.piece) return take(data.piece);
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
