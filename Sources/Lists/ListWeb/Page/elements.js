// Makes elements from markup of the server, which has escaped every text in it.
const page = window.trustedTypes
  ? trustedTypes.createPolicy("page", { createHTML: (text) => text, createScriptURL: (address) => address })
  : { createHTML: (text) => text, createScriptURL: (address) => address };

export function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = page.createHTML(html);
  return [...template.content.children];
}

// The address of a script of the server.
export const scriptAddress = (name) => page.createScriptURL(`/page/${name}`);
