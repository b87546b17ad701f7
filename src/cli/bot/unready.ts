// Why the bot is not ready to trade; none when it is.

import type { Status } from "../../telemetry/status.ts";

type Seen = Pick<Status, "phase" | "standing" | "equity" | "frozen">;

/** Of what is frozen only everything counts: with some assets frozen the others are traded. */
export function unreadyReasons(
  { phase, standing, equity, frozen }: Seen,
  problem: string | undefined,
): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(frozen?.startsWith("everything:") ? [`frozen ${frozen}`] : []),
    ...(equity.now === undefined ? ["equity is unknown: a price or a balance is missing"] : []),
  ];
}
