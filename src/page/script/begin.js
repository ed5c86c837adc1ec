// The page alive: inputs are edited and run in the engine, which a worker holds. No framework: these files,
// one after the other, are one script.
const lesson = JSON.parse(document.getElementById("lesson").textContent);
const STOPPED = Symbol("stopped");
const STILL = "Something still runs: Esc stops it.";
const BLANK = "____";

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function button(text, title, act) {
  const made = make("button", { type: "button", title }, text);
  made.addEventListener("click", act);
  return made;
}

// What is said to a person who listens, too.
const status = make("span", { className: "status", role: "status" });
const say = (text) => (status.textContent = text);

// Elements of a class in an element, as a list.
const all = (element, selector) => [...element.querySelectorAll(selector)];

// What is written down for the next visit; a browser may refuse.
const memory = {
  get: (name) => {
    try {
      return localStorage.getItem(`vjp ${name}`);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(`vjp ${name}`, value);
    } catch {
      // Then it holds for this visit.
    }
  },
};
