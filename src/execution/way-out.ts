// What leads out of a halt or a doubt, as people read it.

import { RESUME } from "../risk/standing.ts";
import { resolveCommand } from "./move.ts";
import type { Submission } from "./submission.ts";
import { watchOf } from "./watch.ts";

export const ADOPT = `pegbot adopt, then ${RESUME}`;
/** What is not said cannot be taken over. */
export const LISTED = `ask the venue about it; when its balances list it again, ${RESUME}`;
/** Which of the two it was only its folder knows. */
export const BEGIN = "pegbot run (where there is no pegbot.yaml: pegbot start)";
export const DOCTOR = `pegbot doctor, then ${RESUME}`;

/** How an outcome that is unknown gets known: evidence decides first, and a person what it could not. */
export function wayToKnow(submission: Submission, escalateAfterMs: number): string {
  const { state } = submission;
  const command = resolveCommand(submission);
  if (state.kind === "escalated") return command;
  const since = state.kind === "sending" ? state.at : watchOf(state)?.since;
  const by = since === undefined ? "" : ` until ${new Date(since + escalateAfterMs).toISOString().slice(0, 19)}Z`;
  return `a running bot looks for it${by}, ${BEGIN}; what it cannot tell it then asks a person, who closes it with ${command}`;
}
