// The session by which the server lets this browser in, without the key, for a day after each use.
// It is in the storage of this origin, and goes along in a header: a cookie would go to every
// server of the machine.
const name = "session";

// The session; undefined without one, and where the browser keeps nothing.
export function keptSession() {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} session */
export function keepSession(session) {
  try {
    if (session) localStorage.setItem(name, session);
  } catch {
    // Without storage the key is needed for each window.
  }
}

// The headers of a request for a window: with the key, or with the session.
/** @param {string} [key] */
export function headers(key) {
  const session = keptSession();
  const said = key ? `Key ${key}` : session && `Session ${session}`;
  return { "Content-Type": "application/json", ...(said && { Authorization: said }) };
}

// How often a page that is open uses its session, in milliseconds.
const often = 3_600_000;

// Keeps the session while a page is open.
export function useSession() {
  setInterval(() => {
    if (!keptSession()) return;
    fetch("/session", { method: "POST", headers: headers() })
      // The next use is soon enough.
      .catch(() => {});
  }, often);
}
