// Runs questions through the engine of a page: one JSON question a line on standard input, one answer a line
// on standard output. The first argument is the engine.
import { readFileSync } from "node:fs";

const begun = performance.now();
const page = {
  now: () => performance.timeOrigin + performance.now(),
  nfkc: (from, length, to) => {
    const memory = new Uint8Array(engine.memory.buffer);
    const text = new TextDecoder().decode(memory.subarray(from, from + length));
    return new TextEncoder().encodeInto(text.normalize("NFKC"), memory.subarray(to)).written;
  },
};
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const engine = new WebAssembly.Instance(module, { page }).exports;
const started = performance.now() - begun;

function ask(question) {
  const bytes = new TextEncoder().encode(question);
  const place = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
  const length = engine.ask();
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.answer(), length));
}

const first = performance.now();
let questions = 0;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(ask(line) + "\n");
  if (questions++ === 0) console.error(`start ${started.toFixed(0)} ms, first answer ${(performance.now() - first).toFixed(0)} ms`);
}
console.error(`${questions} answers in ${(performance.now() - first).toFixed(0)} ms`);
