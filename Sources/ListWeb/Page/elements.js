// Makes elements of markup, which comes from the server: that escapes every text in it.
const markup = window.trustedTypes
  ? trustedTypes.createPolicy("page", { createHTML: (text) => text })
  : { createHTML: (text) => text };

export function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = markup.createHTML(html);
  return [...template.content.children];
}
