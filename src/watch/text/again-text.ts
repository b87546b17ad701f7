// What would stop a running bot again, for who is about to take its stops back: a resume that comes to nothing forgives all the same.

import type { StopCause } from "../../domain/stop-cause.ts";
import type { ShownStop, Status } from "../status.ts";

/** What these are about is looked at again, whoever resumed. */
const LASTING: ReadonlySet<StopCause | undefined> = new Set([
  "doubt",
  "heartbeat",
  "balances",
  "foreign",
  "journal",
  "venue",
  "strategy",
]);

type Stops = Pick<Status["standing"], "state" | "cause" | "wayOut"> & {
  readonly also: readonly Pick<ShownStop, "cause" | "wayOut">[];
};

/** Beneath a person's stop none is taken back yet. */
export function lastingCauses(standing: Stops): readonly StopCause[] {
  return lastingOf(standing).flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
}

/** `balances: stops a running bot again unless it was dealt with; first: pegbot adopt`. */
export function againTexts(standing: Stops): readonly string[] {
  return lastingOf(standing).map(({ cause, wayOut }) => {
    const first = beforeResume(wayOut);
    return `${cause}: stops a running bot again unless it was dealt with${first === "" ? "" : `; first: ${first}`}`;
  });
}

function lastingOf(standing: Stops): readonly Pick<ShownStop, "cause" | "wayOut">[] {
  if (standing.cause === "person") return [];
  return [standing, ...standing.also].filter(({ cause }) => LASTING.has(cause));
}

/** Whoever reads it is about to resume: that is no first step. */
function beforeResume(wayOut: string): string {
  return wayOut.replace(/(?:^|[,;] then )pegbot resume(?: --reason "\.\.\.")?$/, "");
}
