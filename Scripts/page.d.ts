// What the page's scripts rely on that the compiler does not know of, for Scripts/check-page.
import "./table.js";

// What an event is about is an element: the listeners are those of the document.
interface Target {
  ariaLabel: any; checked: any; classList: any; closest: any; dataset: any; inert: any; isConnected: any;
  matches: any; type: any; value: any;
  // Of an alert: whether it has been answered here.
  hasAnswer?: boolean;
}
// What a selector finds is of the kind that it asks for.
interface Found {
  blur: any; disabled: any; focus: any; hidden: any; open: any; placeholder: any; select: any;
  selectionEnd: any; selectionStart: any; setSelectionRange: any; showModal: any; tabIndex: any;
}

declare global {
  interface EventTarget extends Target {}
  interface Element extends Found {
    // A field that a redrawing takes out and puts back: leaving it then is no end of editing.
    isHeld?: boolean;
    hasAnswer?: boolean;
  }
  interface HTMLInputElement {
    // The title that a row had when its editing began.
    began?: string;
  }
  interface HTMLUListElement {
    // Of a section's list: whether it has still to be scrolled to its place, and its number.
    isFresh?: boolean; section?: number;
  }
  interface MouseEvent { pointerType?: string }
  interface Navigator { userActivation?: { hasBeenActive: boolean } }
  // Of browsers that check what becomes markup.
  interface Window { trustedTypes?: any; carryOutEarlyActs?: () => void }
  var trustedTypes: any;
  // The shared worker's own.
  var onconnect: (event: MessageEvent) => void;
}

// A table's members in changes.js, keyboard.js, sideways.js and steps.js.
type Parts = typeof import("./changes.js").changes & typeof import("./keyboard.js").keyboard
  & typeof import("./sideways.js").sideways & typeof import("./steps.js").steps;
declare module "./table.js" {
  interface Table extends Parts {}
}
