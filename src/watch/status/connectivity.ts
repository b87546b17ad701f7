// While the venue does not answer, or refuses the key, no new order is sent: prices and balances would be guesses. The
// first good answer ends this without a resume, except that the executor halts for a key that is refused twice in a
// row.

import type { Timers } from "../../domain/time.ts";
import { timeText, utcText } from "../../domain/time-text.ts";
import type { BackoffExchange, Reachability } from "../../exchange/backoff.ts";
import type { ShownBudget } from "../status.ts";

const LOOK_EVERY_MS = 1_000;

const REASONS: Readonly<Record<Reachability, string | undefined>> = {
  good: undefined,
  reduced: "the venue fails or is silent: nothing new is sent until it answers",
  halted: "the venue has been silent for long: nothing new is sent until it answers",
  "auth-lost": "the venue refuses the key: revoked, or used elsewhere? pegbot doctor says more",
};

/** The bot is rate-limited and does not poll; this is not an outage. */
const STORM =
  "the venue says that we ask too often (429): nothing but doubts is asked about until it is calm; does another program use the key?";

const UNWRITTEN = "the venue is not asked while the journal cannot be written";

type Pausing = Pick<ShownBudget, "doubtsOnly" | "paused">;

/** Why the bot itself does not query the venue. */
export function pauseOf(isUnwritten: boolean, budget: Pausing | undefined): string | undefined {
  if (isUnwritten) return UNWRITTEN;
  return pausedText(budget?.paused) ?? (budget?.doubtsOnly === true ? STORM : undefined);
}

const PAUSED = "paused by the venue until";

function pausedText(paused: Pausing["paused"]): string | undefined {
  if (paused === undefined) return undefined;
  const { until, status, ms, call } = paused;
  return `${PAUSED} ${timeText(until)} (${status} with Retry-After ${Math.round(ms / 1_000)} to ${call})`;
}

/** What is logged when `problem` is over. */
export function overText(problem: string | undefined): string {
  return problem?.startsWith(PAUSED) ? "the pause is over: the venue is asked again" : "the venue answers again";
}

type Reached = Pick<BackoffExchange, "reachability" | "keyTrouble">;

/** Why no new order may be sent. A venue that was not queried is not reported as silent. */
export function reachProblem(exchange: Reached): string | undefined {
  const problem = REASONS[exchange.reachability()];
  const keyTrouble = exchange.keyTrouble();
  if (keyTrouble === undefined) return problem;
  return `the venue is not asked, and nothing new is sent: ${keyTrouble.text}`;
}

/** The same time as in the alert PegbotNoGoodAnswer. */
const SILENT_MS = 60_000;

/** For the status. A refused key or a broken ledger is reported even during a pause of the bot. */
function toldProblem(exchange: Reached, pause: string | undefined): string | undefined {
  const isRest = exchange.reachability() !== "auth-lost" && exchange.keyTrouble() === undefined;
  return (isRest ? pause : undefined) ?? reachProblem(exchange);
}

/**
 * For the status, before the silence is long enough to hold orders back: it explains old prices and balances. `pause`:
 * why the bot itself does not query.
 */
export function unreachable(exchange: Reached & Pick<BackoffExchange, "silence">, pause?: string): string | undefined {
  if (pause !== undefined) return toldProblem(exchange, pause);
  const silence = exchange.silence();
  const silent =
    silence === undefined || silence.ms < SILENT_MS
      ? undefined
      : `no usable answer of the venue since ${utcText(silence.since)} (${silence.code}): pegbot doctor says more`;
  return reachProblem(exchange) ?? silent;
}

/** Reports each change, including the end of a problem; the returned function stops it. */
export function watchReach(
  exchange: Reached,
  timers: Timers,
  tell: (problem: string | undefined) => void,
  paused: () => string | undefined = () => undefined,
): () => void {
  let told: string | undefined;
  const look = (): void => {
    const problem = toldProblem(exchange, paused());
    if (problem !== told) tell(problem);
    told = problem;
    cancel = timers.after(LOOK_EVERY_MS, look);
  };
  let cancel = timers.after(LOOK_EVERY_MS, look);
  return () => cancel();
}
