// `rails --acknowledge`: a person has reviewed why rails are frozen (a changed whitelist at the venue, an unexpected
// payment) and releases them. The whitelist is read now and is the accepted one from then on.

import type { MoneyCommand } from "../../app/money-command/money-command.ts";
import { whitelist } from "../../app/money-command/send.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { personHere } from "../../operation/person.ts";
import { REASON_MAX, whitelistOf } from "../../risk/rail-guard.ts";
import type { Asked } from "../by-person.ts";

export type AcknowledgeOptions = { readonly reason?: string; readonly yes?: boolean };

export async function acknowledgeWith(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  options: AcknowledgeOptions,
): Promise<ExitCode> {
  const { terminal } = shell;
  const lines = whitelistOf(await whitelist(tool));
  const frozen = tool.tradingCore.executor.treasury.rails.reason;
  if (frozen === undefined) {
    terminal.print("rails are not frozen: there is nothing to acknowledge");
    if (terminal.wantsJson) terminal.json({ wasFrozen: null, whitelist: lines });
    return exitCode.done;
  }
  terminal.print(`frozen   ${printable(frozen, REASON_MAX)}`);
  terminal.print(lines.length === 0 ? "the venue has whitelisted nothing" : "whitelisted at the venue now:");
  for (const line of lines) terminal.print(`  ${line}`);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "acknowledge", yes: options.yes });
  const { at } = tool.now();
  const record = { kind: "rails", at, state: "released", whitelist: lines, reason, by: personHere() } as const;
  await tool.take({ kind: "rails", record }, () => {
    const now = tool.tradingCore.executor.treasury.rails.reason;
    // A reason that the person has not seen is not released.
    return now === frozen
      ? undefined
      : `what froze rails has changed meanwhile: ${printable(now ?? "nothing", REASON_MAX)}`;
  });
  terminal.print("rails may be used again");
  if (terminal.wantsJson) terminal.json({ wasFrozen: frozen, whitelist: lines });
  return exitCode.done;
}
