// Seam: what the page asks of the bot, and when. Live data come as server-sent events, read by hand so that the token can go along where
// it is needed; a connection that ends or falls silent is made anew, and begins with everything again.

/**
 * The bot speaks every second, and no sooner than the page has said that the last word arrived: so whatever comes is at most
 * a second older than the moment in which that was said, however slow the way is. Older than the first of these it is no present any more.
 */
const OLD_MS = 5_000;
/** Without a byte, or without an answer to what the page says, a connection is given up. */
const SILENT_MS = 6_000;
const UNANSWERED_MS = 10_000;
/** A person waits for the switch. The bot needs a second or two; what comes later still counts, up to the second. */
const ANSWER_MS = 5_000;
const ANSWER_MS_MAX = 20_000;
const PAUSES_MS = [300, 700, 1_500, 3_000, 5_000];

/** Tells snapshots, ticks and how the connection is; the token is asked for at each try. Gives back how to let it rest, and go on. */
export function follow({ token, snapshot, tick, link }) {
  let tries = 0;
  let isResting = false;
  /** It has ended for the rest. */
  let isAtRest = false;
  let cut = () => {};
  const heard = () => {
    tries = 0;
  };

  async function again() {
    const abort = new AbortController();
    cut = () => abort.abort();
    const ended = isResting ? ["resting"] : await listen(abort, token(), { snapshot, tick, link, heard });
    if (isResting) {
      isAtRest = true;
      link("resting");
      return;
    }
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
    tries += 1;
    // Before it is told: whatever cannot be shown must not be the last try.
    setTimeout(again, pause);
    link(...ended);
  }
  void again();
  return {
    rest() {
      isResting = true;
      cut();
    },
    goOn() {
      isResting = false;
      if (!isAtRest) return;
      isAtRest = false;
      tries = 0;
      void again();
    },
  };
}

/** One connection, from its beginning until it ends; says how it ended. */
async function listen(abort, token, { snapshot, tick, link, heard }) {
  const name = newName();
  const options = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` }, cache: "no-store" };
  const silence = () => setTimeout(() => abort.abort(), SILENT_MS);
  let watchdog = silence();
  const alive = () => {
    clearTimeout(watchdog);
    watchdog = silence();
  };
  const present = presence(link);
  try {
    const response = await fetch(`/stream?viewer=${name}`, { ...options, signal: abort.signal });
    if (response.status === 401) return ["locked"];
    if (!response.ok || response.body === null) return ["lost"];
    for await (const { name: kind, data } of eventsOf(response.body, alive)) {
      if (kind === "full") return ["full", data];
      if (kind === undefined) continue;
      heard();
      present.begin();
      answer(name, options, abort);
      if (kind === "snapshot") snapshot(data);
      else if (kind === "tick") tick(data);
    }
    return ["lost"];
  } catch {
    return ["lost"];
  } finally {
    abort.abort();
    clearTimeout(watchdog);
    present.end();
  }
}

/** Until when what has just come is the present. */
function presence(link) {
  let askedAt = performance.now();
  let aging;
  return {
    begin() {
      const now = performance.now();
      const leftMs = leftOf(askedAt, now);
      askedAt = now;
      clearTimeout(aging);
      if (leftMs > 0) aging = setTimeout(() => link("quiet"), leftMs);
      link(leftMs > 0 ? "live" : "quiet");
    },
    end: () => clearTimeout(aging),
  };
}

/** That something arrived. Refused, as by a proxy on the way, it was not heard either; an older bot does not know the question, and waits for nothing. */
function answer(name, options, abort) {
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(UNANSWERED_MS)]);
  fetch(`/heard?viewer=${name}`, { ...options, signal }).then(
    ({ ok, status }) => ok || status === 404 || abort.abort(),
    () => abort.abort(),
  );
}

/** How long what came now, and was asked for then, may still be shown as the present. */
export function leftOf(askedAt, now) {
  return askedAt + OLD_MS - now;
}

/** By which the bot knows whose word it is that something arrived. */
function newName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
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
