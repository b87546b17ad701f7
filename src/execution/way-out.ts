// What leads out of a halt or a doubt, as people read it.

import { utcText } from "../domain/time-text.ts";
import { RESUME } from "../risk/standing.ts";
import { askedFirst, firstStep, resolveCommand } from "./move.ts";
import { type Conflict, isUnknown, type NamedHalt, type Submission } from "./submission.ts";
import { watchOf } from "./watch.ts";

export const TAKE_OVER = "pegbot adopt";
export const DIFFERENCE_TAKEN = `what the balances differ by is taken over by ${TAKE_OVER}`;
export const ADOPT = `${TAKE_OVER}, then ${RESUME}`;
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
  const by = since === undefined ? "" : ` until ${utcText(since + escalateAfterMs)}`;
  return `a running bot looks for it${by}, ${BEGIN}; what it cannot tell it then asks a person, who closes it with ${command}`;
}

/** A stop that `adopt` leads out of; `back`: whose money came back, which is closed instead, and whether more differs beside it. */
export type Stop = Conflict & { readonly back?: { readonly command: string; readonly isAll: boolean } | undefined };

export function haltOf(stop: Stop, open: Iterable<Submission>): NamedHalt {
  const { back: _, ...conflict } = stop;
  return { ...conflict, wayOut: `${stepsOf(stop, open)}, then ${RESUME}` };
}

/** What comes before `resume`. `open`: nothing is taken over while the outcome of one of them is unknown. */
export function stepsOf({ back, cause }: Partial<Pick<Stop, "back" | "cause">>, open: Iterable<Submission>): string {
  const steps: string[] = [];
  for (const one of open)
    if (steps.length === 0 && one.kind !== "rail" && isUnknown(one.state)) steps.push(firstStep(one));
  if (back !== undefined) steps.push(back.command);
  if (back?.isAll !== true) steps.push(TAKE_OVER);
  return askedFirst(cause, steps.join(", then "));
}
