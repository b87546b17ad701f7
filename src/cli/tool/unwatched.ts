// What may have happened, and who finds out: a running bot, or a person where evidence did not decide.

import type { Desk } from "../../bot/desk/desk.ts";
import { resolveCommand } from "../../execution/move.ts";
import { isUnknown } from "../../execution/submission.ts";

/** Nobody looks for it while no bot runs. */
export function unwatchedBy({ executor }: Pick<Desk, "executor">): readonly string[] {
  return [...executor.open()].flatMap(({ id, state }) => (isUnknown(state) && state.kind !== "escalated" ? [id] : []));
}

/** The commands by which a person decides what evidence could not. */
export function toCloseBy({ executor }: Pick<Desk, "executor">): readonly string[] {
  return [...executor.open()].flatMap((one) => (one.state.kind === "escalated" ? [resolveCommand(one)] : []));
}
