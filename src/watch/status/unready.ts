// Why the bot is not ready to trade; none when it is.

import { offlineText, type Status } from "../status.ts";
import { isAllFrozen } from "../text/doing-text.ts";
import { STORM } from "./connectivity.ts";

type Seen = Pick<Status, "phase" | "standing" | "equity" | "offline" | "frozen" | "unheard" | "ahead" | "budget">;

type Offline = NonNullable<Seen["offline"]>;

/** `pairs`: so many may be traded. */
export function unreadyReasons(
  { phase, standing, equity, offline = [], frozen, unheard, ahead, budget }: Seen,
  problem: string | undefined,
  pairs?: number,
): readonly string[] {
  return [
    ...(problem === undefined || problem === STORM ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(budget?.doubtsOnly === true ? [STORM] : []),
    ...(isAllFrozen({ frozen }) ? [`frozen ${frozen}`] : []),
    ...(ahead === undefined ? [] : [ahead]),
    ...(unheard === undefined ? [] : [unheard]),
    ...(offline.length > 0 && offline.length === pairs ? [`no pair can be traded: ${offlineText(offline)}`] : []),
    ...(equity.now === undefined ? [`equity is unknown: ${whyUnknown(equity, offline)}`] : []),
  ];
}

/** Without its quotes a pair has no price: that is no feed which is dead. */
function whyUnknown({ missing = "a price or a balance is missing" }: Seen["equity"], offline: Offline): string {
  return offline.length === 0 ? missing : `${missing}; ${offlineText(offline)}`;
}
