// Why the bot is not ready to trade; none when it is.

import { isAllFrozen } from "../../telemetry/doing-text.ts";
import type { Status } from "../../telemetry/status.ts";

type Seen = Pick<Status, "phase" | "standing" | "equity" | "frozen" | "unheard" | "ahead">;

export function unreadyReasons(
  { phase, standing, equity, frozen, unheard, ahead }: Seen,
  problem: string | undefined,
): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(isAllFrozen({ frozen }) ? [`frozen ${frozen}`] : []),
    ...(ahead === undefined ? [] : [ahead]),
    ...(unheard === undefined ? [] : [unheard]),
    ...(equity.now === undefined ? [`equity is unknown: ${equity.missing ?? "a price or a balance is missing"}`] : []),
  ];
}
