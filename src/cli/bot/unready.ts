// Why the bot is not ready to trade; none when it is.

import { isAllFrozen } from "../../telemetry/doing-text.ts";
import type { Status } from "../../telemetry/status.ts";

type Seen = Pick<Status, "phase" | "standing" | "equity" | "frozen" | "unheard" | "ahead" | "budget">;

const STORM =
  "the venue says that we ask too often (429): nothing but doubts is asked about until it is calm; does somebody else use the key?";

export function unreadyReasons(
  { phase, standing, equity, frozen, unheard, ahead, budget }: Seen,
  problem: string | undefined,
): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(budget?.doubtsOnly === true ? [STORM] : []),
    ...(isAllFrozen({ frozen }) ? [`frozen ${frozen}`] : []),
    ...(ahead === undefined ? [] : [ahead]),
    ...(unheard === undefined ? [] : [unheard]),
    ...(equity.now === undefined ? [`equity is unknown: ${equity.missing ?? "a price or a balance is missing"}`] : []),
  ];
}
