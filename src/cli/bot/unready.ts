// Why the bot is not ready to trade; none when it is.

import type { Status } from "../../telemetry/status.ts";

export function unreadyReasons({ phase, standing, equity }: Status, problem: string | undefined): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(equity.now === undefined ? ["equity is unknown: a price or a balance is missing"] : []),
  ];
}
