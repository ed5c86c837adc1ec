// While the rest of the page is read: a worker begins, and unpacks the engine piece by piece.
"use strict";

const vjpEarly = {
  url: URL.createObjectURL(
    new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }),
  ),
  pieces: [],
};
vjpEarly.worker = new Worker(vjpEarly.url);

function vjpEngine(piece) {
  vjpEarly.pieces.push(piece);
  vjpEarly.worker.postMessage({ piece });
}
