// While the venue does not answer, or refuses the key, nothing new is sent: prices and balances would be guesses. The first
// good answer ends it without a resume; but for a key that is refused twice in a row, for which the executor halts.

import type { Timers } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { BackoffExchange, Reachability } from "../../exchange/backoff.ts";

const LOOK_EVERY_MS = 1_000;

const REASONS: Readonly<Record<Reachability, string | undefined>> = {
  good: undefined,
  reduced: "the venue fails or is silent: nothing new is sent until it answers",
  halted: "the venue has been silent for long: nothing new is sent until it answers",
  "auth-lost": "the venue refuses the key: revoked, or used elsewhere? pegbot doctor says more",
};

/** We are rate-limited and not polling; this is not an outage. */
export const STORM =
  "the venue says that we ask too often (429): nothing but doubts is asked about until it is calm; does another program use the key?";

const UNWRITTEN = "the venue is not asked while the journal cannot be written";

/** Why it is we who do not ask. */
export function pauseOf(isUnwritten: boolean, doubtsOnly: boolean | undefined): string | undefined {
  if (isUnwritten) return UNWRITTEN;
  return doubtsOnly === true ? STORM : undefined;
}

type Reached = Pick<BackoffExchange, "reachability" | "ledgerTrouble">;

/** A lock is another process at work, and mostly gone at the next look. */
const LOCKED = "ledger-locked";

/** Why nothing new may be sent. A venue that was not asked is not called silent. */
export function reachProblem(exchange: Reached): string | undefined {
  const problem = REASONS[exchange.reachability()];
  const ledgerTrouble = exchange.ledgerTrouble();
  if (ledgerTrouble === undefined || (problem === undefined && ledgerTrouble.startsWith(LOCKED))) return problem;
  return `the venue is not asked, and nothing new is sent: ${ledgerTrouble}`;
}

/** As long as the alert PegbotNoGoodAnswer waits. */
const SILENT_MS = 60_000;

/** For the status. A key that is refused and a ledger that is broken are no silence of ours. */
function toldProblem(exchange: Reached, pause: string | undefined): string | undefined {
  const isRest = exchange.reachability() !== "auth-lost" && exchange.ledgerTrouble() === undefined;
  return (isRest ? pause : undefined) ?? reachProblem(exchange);
}

/**
 * For the status, earlier than orders are held back for it: a silence is why prices and balances grow old. `pause`: why
 * it is we who do not ask.
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

/** So many looks after a pause of ours the venue has had its chance to answer. */
const CHANCE_LOOKS = 5;

/** Tells each change, and that it is over; the function it gives back ends it. */
export function watchReach(
  exchange: Reached,
  timers: Timers,
  tell: (problem: string | undefined) => void,
  paused: () => string | undefined = () => undefined,
): () => void {
  let told: string | undefined;
  let pause: string | undefined;
  let chances = 0;
  const look = (): void => {
    const isGood = exchange.reachability() === "good";
    const now = paused();
    chances = now !== undefined ? CHANCE_LOOKS : isGood ? 0 : Math.max(0, chances - 1);
    pause = chances > 0 ? (now ?? pause) : undefined;
    const problem = toldProblem(exchange, pause);
    if (problem !== told) tell(problem);
    told = problem;
    cancel = timers.after(LOOK_EVERY_MS, look);
  };
  let cancel = timers.after(LOOK_EVERY_MS, look);
  return () => cancel();
}
