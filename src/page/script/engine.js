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
    const begin = { module: compiled, options: lesson.options };
    if (!compiled) {
      const text = globalThis.vjpEngine ?? document.getElementById("engine").textContent;
      begin.packed = bytesOf(text.trim());
    }
    this.worker.postMessage({ begin }, begin.packed ? [begin.packed.buffer] : []);
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
