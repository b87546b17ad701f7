// A command that moves money or lifts a stop needs a person's confirmation: a typed word at a terminal, --yes without
// one. The journal names the person.

import { refusedFailure, usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Agreement } from "../../operation/money.ts";
import { REASON_MAX } from "../../operation/person.ts";
import type { Shell } from "../shell.ts";
import type { Prompts } from "./prompts.ts";

/** The person at the terminal: prompts, and the signal to stop. */
export type Person = { readonly shell: Shell; readonly prompts: Prompts; readonly stop: AbortSignal };

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

/** `yes`: without a terminal. `flags`: what the command line confirms already. */
export type Confirming = { readonly yes: boolean | undefined; readonly flags: readonly string[] };

/** A caveat without its flag needs a word of its own. */
export async function confirmAgreement(
  shell: Shell,
  prompts: Prompts,
  { word, caveats }: Pick<Agreement, "word" | "caveats">,
  { yes, flags }: Confirming,
): Promise<void> {
  const open = caveats.find(({ flag }) => !flags.includes(flag));
  if (yes && open !== undefined)
    throw refusedFailure(`refused: ${open.text}; nothing was sent`, `${open.flag} confirms it`);
  await requireConfirmation(shell, prompts, { word, yes });
  for (const caveat of caveats) {
    shell.terminal.note(caveat.text);
    if (!flags.includes(caveat.flag)) await requireConfirmation(shell, prompts, { word: caveat.word, yes });
  }
}

/** Prompts for a reason if none was given; a decision without one is refused. */
export async function requireReason({ terminal }: Shell, prompts: Prompts, given: string | undefined): Promise<string> {
  const reason = given ?? (terminal.interactive ? await prompts.text("Reason, for the journal") : "");
  if (reason.trim() === "") throw usageFailure("a reason is needed", 'give one with --reason "..."');
  if (reason.length > REASON_MAX)
    throw usageFailure(`reason must have at most ${REASON_MAX} characters, had ${reason.length}`);
  return reason.trim();
}
