// Presses and keys from before the page's scripts run. They are carried out when those are ready:
// without this, somebody who is quicker than a slow line presses buttons that do nothing.
(() => {
  const acts = [];
  const types = ["click", "keydown", "input", "change"];

  // What the browser itself does with links, fields and pressed buttons is done already.
  function isDone({ type, target, key }) {
    if (!(target instanceof Element)) return false;
    if (type === "click") return target.closest("a[href], input, select, textarea, label") !== null;
    if (type !== "keydown") return false;
    if (target.closest("input, select, textarea")) return key !== "Enter" && key !== "Escape";
    return target.closest("button, a[href]") !== null && (key === "Enter" || key === " ");
  }

  function note(event) {
    if (isDone(event)) return;
    // Whoever sees nothing happen presses again, and means it once.
    const last = acts.at(-1);
    if (event.type !== "keydown" && last?.type === event.type && last.target === event.target) acts.pop();
    acts.push(event);
  }

  for (const type of types) document.addEventListener(type, note, true);

  // The field that has the keyboard gets it once the document is parsed. The browser's `autofocus`
  // comes with the first frame: after the page's scripts, where those are quick.
  document.addEventListener("readystatechange", () => document.querySelector("[data-first]")?.focus(), { once: true });

  window.carryOutEarlyActs = () => {
    for (const type of types) document.removeEventListener(type, note, true);
    for (const act of acts.splice(0)) {
      const copy = new act.constructor(act.type, act);
      if (act.target.isConnected) act.target.dispatchEvent(copy);
    }
  };
})();
