// Focus within an element, by the index among the parts that can have it. `focusWithin` returns a
// function that focuses the corresponding part of the element's replacement.
const parts = (root) => [root, ...root.querySelectorAll("input, button, a")];

export function focusWithin(old) {
  const place = parts(old).indexOf(document.activeElement);
  return (fresh) => {
    if (place <= 0 || fresh.contains(document.activeElement)) return;
    (parts(fresh)[place] ?? parts(fresh).at(-1)).focus({ preventScroll: true });
  };
}

// Gives an element the attributes and content of a fresh one without removing it from the page, so
// that a press or the focus survives. Replaces it if their structures differ.
export function redrawInPlace(old, fresh) {
  const pairs = [...old.children].map((child, index) => [child, fresh.children[index]]);
  const isAlike = old.children.length === fresh.children.length
    && pairs.every(([child, twin]) => child.tagName === twin.tagName);
  if (old.tagName !== fresh.tagName || !isAlike) return old.replaceWith(fresh);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  if (old.matches("input")) {
    old.checked = fresh.checked;
    old.value = fresh.value;
  }
  if (pairs.length === 0) old.textContent = fresh.textContent;
  for (const [child, twin] of pairs) redrawInPlace(child, twin);
  return undefined;
}
