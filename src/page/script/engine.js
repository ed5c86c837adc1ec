// ---- The engine

let compiled = null;

class Engine {
  constructor() {
    this.waiting = new Map();
    this.number = 0;
    // The first finds its worker at work.
    const { worker } = vjpEarly;
    vjpEarly.worker = null;
    this.worker = worker ?? new Worker(vjpEarly.url);
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
    if (!worker && !compiled) for (const piece of vjpEarly.pieces) this.worker.postMessage({ piece });
    this.worker.postMessage({ begin: { module: compiled, options: lesson.options } });
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
