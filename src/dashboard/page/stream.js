// Seam: what the page asks of the bot. Live data come as server-sent events, read by hand so that the token can go along where
// it is needed; a connection that ends or falls silent is made anew, and begins with everything again.

/** The bot speaks every second: from the first on its last word is old, after the second the connection is given up. */
const QUIET_MS = 4_000;
const SILENT_MS = 6_000;
/** Somebody waits for the switch. The bot needs a second or two; what comes later still counts, up to the second. */
const ANSWER_MS = 5_000;
const ANSWER_MS_MAX = 20_000;
const PAUSES_MS = [300, 700, 1_500, 3_000, 5_000];

/** Tells snapshots, ticks and how the connection is; the token is asked for at each try. */
export function follow({ token, snapshot, tick, link }) {
  let tries = 0;

  async function connect() {
    const abort = new AbortController();
    const silence = () => setTimeout(() => abort.abort(), SILENT_MS);
    let watchdog = silence();
    let quiet;
    const alive = () => {
      clearTimeout(watchdog);
      clearTimeout(quiet);
      watchdog = silence();
      quiet = setTimeout(() => link("quiet"), QUIET_MS);
    };
    try {
      const headers = token() === undefined ? {} : { authorization: `Bearer ${token()}` };
      const response = await fetch("/stream", { headers, signal: abort.signal, cache: "no-store" });
      if (response.status === 401) return "locked";
      if (!response.ok || response.body === null) return "lost";
      for await (const { name, data } of eventsOf(response.body, alive)) {
        if (name === "full") return "full";
        tries = 0;
        link("live");
        if (name === "snapshot") snapshot(data);
        else if (name === "tick") tick(data);
      }
      return "lost";
    } catch {
      return "lost";
    } finally {
      clearTimeout(watchdog);
      clearTimeout(quiet);
    }
  }

  async function again() {
    const ended = await connect();
    link(ended);
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
    tries += 1;
    setTimeout(again, pause);
  }
  void again();
}

async function* eventsOf(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    const parts = (waiting + value).split("\n\n");
    waiting = parts.pop();
    for (const part of parts) yield eventOf(part);
  }
}

function eventOf(text) {
  const fields = new Map(
    text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return { name: fields.get("event"), data: JSON.parse(fields.get("data") ?? "null") };
}

/**
 * Undefined when it was done, else what the bot said against it; status 0 when it said nothing, which leaves open what it did.
 * `late` is called when an answer takes longer than a person waits.
 */
export async function act(path, token, body, late) {
  const abort = new AbortController();
  const patience = [setTimeout(late, ANSWER_MS), setTimeout(() => abort.abort(), ANSWER_MS_MAX)];
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    if (response.ok) return undefined;
    const text = await response.text();
    return { status: response.status, error: errorOf(text) };
  } catch {
    return { status: 0 };
  } finally {
    for (const timer of patience) clearTimeout(timer);
  }
}

function errorOf(text) {
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text;
  }
}
