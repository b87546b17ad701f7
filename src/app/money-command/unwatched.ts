// What may have happened, and who finds out: a running bot, or a person where evidence did not decide.

import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import { isEscalated, isUnknown } from "../../execution/request.ts";

/** Nobody looks for it while no bot runs. */
export function unwatchedBy({ executor }: Pick<TradingCore, "executor">): readonly string[] {
  return [...executor.open()].flatMap(({ id, state }) => (isUnknown(state) && !isEscalated(state) ? [id] : []));
}

/** The commands by which a person decides what evidence could not. */
export function toCloseBy({ executor }: Pick<TradingCore, "executor">): readonly string[] {
  return [...executor.open()].flatMap((one) => (isEscalated(one.state) ? [resolveCommand(one)] : []));
}
