// `decline ID`: a person says no to a plan that was proposed and is not begun. One no is enough: nobody carries it out, and the
// running bot leaves its steps alone for a while.

import { IDLE } from "../../bot/seat/idle.ts";
import { isOwn } from "../../treasury/approval/plan-content.ts";
import { declineRefusal } from "../../treasury/approval/plan-log.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { recordDecline } from "../journal/approval.ts";
import type { Shell } from "../shell.ts";
import { type Person, requireConfirmation, requireReason } from "../terminal/confirmation.ts";
import { terminalPrompts } from "../terminal/prompts.ts";
import { type Tool, withTool } from "../tool/tool.ts";
import { type AnswerOptions, refused, showToPerson } from "./plan-answer.ts";

export type DeclineOptions = AnswerOptions & { readonly reason?: string };

export function decline(shell: Shell, id: string, options: DeclineOptions): Promise<ExitCode> {
  return withTool(shell, { strategy: IDLE, books: "existing" }, (tool) =>
    declineWith(tool, { shell, prompts: terminalPrompts }, id, options),
  );
}

/** Also while the bot is stopped: what is declined need not be thought of when somebody resumes. */
export async function declineWith(
  tool: Tool,
  { shell, prompts }: Omit<Person, "stop">,
  id: string,
  options: DeclineOptions,
): Promise<ExitCode> {
  const { plans, known, people, wish } = showToPerson(tool, shell, { id, answer: "decline", key: options.key });
  const early = declineRefusal(known, wish, people, tool.now().at);
  if (early !== undefined) throw refused(early);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "decline", yes: options.yes });
  const { by, text } = await recordDecline(plans, people, { ...wish, reason }, () => tool.now().at);
  if (options.json) shell.terminal.json({ id, by, text });
  else shell.terminal.print(`declined  ${id}  by ${by}; ${text}`);
  if (isOwn(known.plan))
    shell.terminal.note("next: pegbot status says until when; pegbot rebalance --execute of a person does not wait");
  return exitCode.done;
}
