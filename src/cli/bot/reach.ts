// While the venue does not answer, or refuses the key, nothing new is sent: prices and balances would be guesses. The first
// good answer ends it, and nobody has to resume; but for a key that is refused twice in a row, for which the executor halts.

import type { Timers } from "../../domain/time.ts";
import type { PatientExchange } from "../../exchange/patient-exchange.ts";
import type { Reachability } from "../../exchange/read-policy.ts";

const LOOK_EVERY_MS = 1_000;

const REASONS: Readonly<Record<Reachability, string | undefined>> = {
  good: undefined,
  reduced: "the venue fails or is silent: nothing new is sent until it answers",
  halted: "the venue has been silent for long: nothing new is sent until it answers",
  "auth-lost": "the venue refuses the key: revoked, or used elsewhere? pegbot doctor says more",
};

/** Why nothing new may be sent. */
export function reachProblem(exchange: Pick<PatientExchange, "reachability">): string | undefined {
  return REASONS[exchange.reachability()];
}

/** Tells each change, and that it is over; the function it gives back ends it. */
export function watchReach(
  exchange: Pick<PatientExchange, "reachability">,
  timers: Timers,
  tell: (problem: string | undefined) => void,
): () => void {
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
