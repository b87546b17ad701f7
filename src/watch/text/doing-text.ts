// What the bot is doing, in a few words that are true of all that is known of it: the pipeline may be trading while nothing may leave.

import type { Status } from "../status.ts";

/** What is frozen begins with it where nothing is left out. */
const ALL = "everything: ";

type Doing = Pick<Status, "phase" | "frozen"> &
  Partial<Pick<Status, "unready">> & { readonly standing: Pick<Status["standing"], "state"> };

/** The pipeline's own word, unless the state, what is frozen, or another reason says that nothing may leave. */
export function doingText(status: Doing): string {
  const { phase, standing } = status;
  if (phase.kind !== "trading") return phase.text;
  if (standing.state === "REDUCED") return "reducing only";
  if (standing.state !== "ACTIVE") return "not trading, reading goes on";
  if (isAllFrozen(status)) return "not trading, everything is frozen";
  return (status.unready ?? []).length === 0 ? phase.text : "not ready";
}

/** Why it is not ready, where no stop and no phase says it already. */
export function unsaidReasons({ unready, phase }: Pick<Status, "unready" | "phase">): readonly string[] {
  if (phase.kind !== "trading") return [];
  return unready.filter((reason) => !/^(REDUCED|HALTED): /.test(reason));
}

/** Orders may leave, if only those that reduce: the pipeline, the state and whatever else keeps them back agree. */
export function isTrading(status: Pick<Status, "phase" | "standing" | "unready">): boolean {
  const { phase, standing } = status;
  const isOpen = standing.state === "ACTIVE" || standing.state === "REDUCED";
  return phase.kind === "trading" && isOpen && unsaidReasons(status).length === 0;
}

/** With what freezes everything: at a start nothing else tells it. */
export function doingLine(status: Doing): string {
  const text = doingText(status);
  return status.phase.kind === "trading" && isAllFrozen(status) ? `${text}: ${status.frozen?.slice(ALL.length)}` : text;
}

/** With some assets frozen the others are traded. */
export function isAllFrozen({ frozen }: Pick<Status, "frozen">): boolean {
  return frozen?.startsWith(ALL) ?? false;
}
