// The parts of a bot that server, notices and pipeline are built from.

import type { Observable } from "rxjs";
import type { SpentSlot } from "../../exchange/budget/budget.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { OpenedOwner } from "../owner/open-owner.ts";
import type { BotOrder } from "./bot-order.ts";
import type { LimitsInForce } from "./limits.ts";
import type { BotView } from "./view.ts";

/** The opened parts of a bot, before its pipeline exists. */
export type Bot = OpenedOwner & {
  readonly order: BotOrder;
  readonly inForce: LimitsInForce;
  readonly strategy: Strategy;
  readonly metrics: Metrics;
  /** The slots spent on requests. */
  readonly slots$: Observable<SpentSlot>;
  readonly view: BotView;
  readonly killSwitch: KillSwitch;
};
