// What moves money or lifts a stop is confirmed by a person: by a typed word at a terminal, by --yes where there is none. The
// person is named in the journal.

import { userInfo } from "node:os";
import { printable } from "../../domain/sanitise.ts";
import { OWN } from "../../treasury/approval/plan-content.ts";
import { usageFailure } from "../command-failure.ts";
import type { Shell } from "../shell.ts";
import type { Prompts } from "./prompts.ts";

/** Who gave the command: asked at the terminal, and heard when it is to stop. */
export type Person = { readonly shell: Shell; readonly prompts: Prompts; readonly stop: AbortSignal };

/** Who this is to the machine: there is no other name to ask for. */
export function personHere(user: () => { readonly username: string } = userInfo): string {
  try {
    const name = printable(user().username, 64);
    // In the journal that name alone is the bot's own.
    return name === OWN ? `user ${name}` : name;
  } catch {
    // A user id without an entry, as in some containers.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** `wanted by anna: month end`, for the journal. */
export function reasonText(verb: string, by: string, why: string | undefined): string {
  return why === undefined ? `${verb} by ${by}` : `${verb} by ${by}: ${printable(why, REASON_MAX)}`;
}

export async function requireConfirmation(
  { terminal }: Shell,
  prompts: Prompts,
  { word, yes }: { readonly word: string; readonly yes: boolean | undefined },
): Promise<void> {
  if (yes) return;
  if (!terminal.interactive)
    throw usageFailure("this needs a confirmation, and there is no terminal to ask at", "--yes confirms");
  const typed = await prompts.text(`Type ${word} to go on`);
  if (typed.trim() !== word)
    throw usageFailure(`confirmation must be ${word}, was ${printable(typed, 40)}; nothing was changed`);
}

/** A reason is typed when it was not given. Without one nobody has decided anything. */
export async function requireReason({ terminal }: Shell, prompts: Prompts, given: string | undefined): Promise<string> {
  const reason = given ?? (terminal.interactive ? await prompts.text("Reason, for the journal") : "");
  if (reason.trim() === "") throw usageFailure("a reason is needed", 'give one with --reason "..."');
  if (reason.length > REASON_MAX)
    throw usageFailure(`reason must have at most ${REASON_MAX} characters, had ${reason.length}`);
  return reason.trim();
}

const REASON_MAX = 200;
