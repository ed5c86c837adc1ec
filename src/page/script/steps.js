// ---- :step: one turn at a time

function liveSteps(steps, from) {
  const turns = all(steps, ".turn");
  if (turns.length === 0) return;
  const picture = steps.querySelector("svg");
  const count = make("span", { className: "count" });
  let at = 0;
  const list = (turn, name) => turn.dataset[name].split(" ").filter(Boolean);
  const show = (k, spoken = true) => {
    at = Math.max(0, Math.min(turns.length - 1, k));
    steps.dataset.at = at;
    turns.forEach((turn, n) => (turn.hidden = n !== at));
    const turn = turns[at];
    for (const [kind, name, lit] of [
      ["node", "node", "lit"], ["node", "waiting", "waiting"], ["node", "ahead", "ahead"], ["edge", "edges", "lit"],
    ]) {
      const chosen = list(turn, name);
      for (const part of all(picture, `[data-${kind}]`)) {
        part.classList.toggle(lit, chosen.includes(part.dataset[kind]));
      }
    }
    count.textContent = `${at + 1} of ${turns.length}`;
    const pressed = document.activeElement;
    keys[0].disabled = keys[1].disabled = at === 0;
    keys[2].disabled = keys[3].disabled = at === turns.length - 1;
    // A button that is spent passes the keys on to the steps.
    if (keys.includes(pressed) && pressed.disabled) steps.focus();
    if (spoken) say(turn.textContent.trim());
  };
  const keys = [
    button("|◀", "The first step (Home)", () => show(0)),
    button("◀", "One step back (←)", () => show(at - 1)),
    button("▶", "One step on (→)", () => show(at + 1)),
    button("▶|", "The last step (End)", () => show(turns.length - 1)),
  ];
  keys.forEach((key) => key.setAttribute("aria-label", key.title));
  const bar = make("span", { className: "bar" }, keys[0], keys[1], count, keys[2], keys[3]);
  steps.querySelector(".picture").after(bar);
  steps.classList.add("live");
  steps.tabIndex = 0;
  steps.setAttribute("role", "group");
  steps.setAttribute("aria-label", "Steps of the pass; the arrow keys go on and back");
  steps.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: turns.length - 1 };
    if (moves[event.key] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(moves[event.key]);
  });
  show(Number(from ?? steps.dataset.at), false);
}
