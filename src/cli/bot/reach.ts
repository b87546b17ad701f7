// While the venue does not answer, or refuses the key, nothing new is sent: prices and balances would be guesses. The first
// good answer ends it, and nobody has to resume; but for a key that is refused twice in a row, for which the executor halts.

import type { Timers } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { PatientExchange } from "../../exchange/patient-exchange.ts";
import type { Reachability } from "../../exchange/read-policy.ts";

const LOOK_EVERY_MS = 1_000;

const REASONS: Readonly<Record<Reachability, string | undefined>> = {
  good: undefined,
  reduced: "the venue fails or is silent: nothing new is sent until it answers",
  halted: "the venue has been silent for long: nothing new is sent until it answers",
  "auth-lost": "the venue refuses the key: revoked, or used elsewhere? pegbot doctor says more",
};

type Reached = Pick<PatientExchange, "reachability" | "unasked">;

/** A lock is somebody at work, and mostly gone at the next look. */
const LOCKED = "ledger-locked";

/** Why nothing new may be sent. A venue that was not asked is not called silent. */
export function reachProblem(exchange: Reached): string | undefined {
  const problem = REASONS[exchange.reachability()];
  const unasked = exchange.unasked();
  if (unasked === undefined || (problem === undefined && unasked.startsWith(LOCKED))) return problem;
  return `the venue is not asked, and nothing new is sent: ${unasked}`;
}

/** As long as the alert PegbotNoGoodAnswer waits. */
const SILENT_MS = 60_000;

/** What people are told: earlier than orders are held back for it, a silence is why prices and balances grow old. */
export function unreachable(exchange: Reached & Pick<PatientExchange, "silence">): string | undefined {
  const silence = exchange.silence();
  const silent =
    silence === undefined || silence.ms < SILENT_MS
      ? undefined
      : `no usable answer of the venue since ${utcText(silence.since)} (${silence.code}): pegbot doctor says more`;
  return reachProblem(exchange) ?? silent;
}

/** Tells each change, and that it is over; the function it gives back ends it. */
export function watchReach(exchange: Reached, timers: Timers, tell: (problem: string | undefined) => void): () => void {
  let told: string | undefined;
  const look = (): void => {
    const problem = reachProblem(exchange);
    if (problem !== told) tell(problem);
    told = problem;
    cancel = timers.after(LOOK_EVERY_MS, look);
  };
  let cancel = timers.after(LOOK_EVERY_MS, look);
  return () => cancel();
}
