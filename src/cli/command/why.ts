// `why`: one decision with everything that was known of it, as its opened row on the page; without an id the state of the
// bot, what would free it, and the last decision.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { decisionId, explained } from "../../watch/dashboard/page/explain.ts";
import { stateText } from "../../watch/text/status-text.ts";
import { statusNow } from "./status.ts";

export function defineWhy(command: Command, run: Run): void {
  command
    .argument("[id]", "client order id, or the id of a refusal as the page shows it; without it the last decision")
    .action((id: string | undefined) => run((shell) => why(shell, id)));
}

async function why(shell: Shell, id: string | undefined): Promise<ExitCode> {
  const { terminal } = shell;
  const { at, decisions, state } = await statusNow(shell, botConfig(shell));
  const decision = id === undefined ? decisions[0] : decisions.find((one) => decisionId(one) === id);
  if (id !== undefined && decision === undefined)
    throw plainFailure(
      `${id} is none of the last ${decisions.length} decisions`,
      "pegbot journal list shows older records",
    );
  const lines = decision === undefined ? [["last", "no decision so far"]] : explained(decision);
  if (terminal.wantsJson) terminal.json({ state, decision: decision ?? null, lines });
  else {
    if (id === undefined) terminal.print(printable(stateText(state, at)));
    for (const [label, text] of lines) terminal.print(`${label.padEnd(8)}${printable(text)}`);
  }
  return exitCode.done;
}
