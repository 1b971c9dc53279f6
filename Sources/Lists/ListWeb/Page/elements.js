// Makes elements from markup of the server, which has escaped every text in it.
const page = window.trustedTypes
  ? trustedTypes.createPolicy("page", { createHTML: (text) => text, createScriptURL: (address) => address })
  : { createHTML: (text) => text, createScriptURL: (address) => address };

export function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = page.createHTML(html);
  // The browser would refuse it and say so in its console.
  if (document.activeElement !== document.body) {
    for (const field of template.content.querySelectorAll("[autofocus]")) field.removeAttribute("autofocus");
  }
  return [...template.content.children];
}

// The address of a script of the server.
export const scriptAddress = (name) => page.createScriptURL(`/page/${name}`);
