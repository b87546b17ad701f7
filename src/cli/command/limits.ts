// `limits reload`: asks the running bot to adopt limits that the configuration has tightened. The request goes through
// the journal, as a heartbeat does; the bot journals the change and shows it in its key's ledger, where this command
// waits for it.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import {
  changeText,
  type Difference,
  differences,
  type LimitTexts,
  limitsOfBot,
  limitTexts,
} from "../../app/config/limits-in-force.ts";
import { lookAtKey } from "../../app/key/join-budget.ts";
import { requireOpening } from "../../app/kill-switch/stop-journal.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { personHere } from "../../operation/person.ts";
import { appendControl } from "../append-control.ts";

const HELP = `
The running bot reads its configuration again, takes over at once what is
tighter than what it goes by, and journals what changed and who asked. SIGHUP to
a bot without a terminal does the same. A widening is refused: it counts from
the next start on. Ends with 0 in force, 1 the bot did not answer, 2 mistakes in
the configuration, 3 some limit is not tighter, and was not taken over.`;

export function defineReload(command: Command, run: Run): void {
  command.addHelpText("after", HELP).action(() => run(reloadLimits));
}

/** A running bot reads a record within a second, unless it waits for the disk. */
const WAIT_MS = 15_000;
const LOOK_MS = 250;
const RESTART = "a widening needs a restart: stop the bot and start it again, or put the configuration back";

async function reloadLimits(shell: Shell): Promise<ExitCode> {
  const { terminal } = shell;
  const config = botConfig(shell);
  const { opening } = requireOpening(config.journal.path);
  const inForce = (): LimitTexts | undefined => {
    const looked = lookAtKey(shell, opening);
    if (!looked.ok) throw plainFailure(looked.error);
    return ofBot(looked.value, config);
  };
  const before = inForce();
  if (before === undefined) {
    if (terminal.wantsJson) terminal.json({ bot: null, tighter: [], refused: [] });
    else terminal.print("no bot runs on this journal: the limits of the configuration count from its start on");
    return exitCode.done;
  }
  const differ = differences(before, limitTexts(config));
  const tighter = differ.filter(({ is }) => is === "tighter");
  const refused = differ.filter(({ is }) => is !== "tighter");
  if (tighter.length > 0) {
    await appendControl(shell, config.journal.path, { kind: "limits", by: personHere() });
    await taken(inForce, tighter);
  }
  if (terminal.wantsJson) terminal.json({ tighter: tighter.map(plain), refused: refused.map(plain) });
  else if (tighter.length > 0) terminal.print(`in force  ${changeText(tighter)}`);
  else if (refused.length === 0) terminal.print("the bot goes by the limits of the configuration already");
  if (refused.length === 0) return exitCode.done;
  if (terminal.wantsJson) return exitCode.refused;
  throw new CommandFailure(exitCode.refused, `not taken over: ${changeText(refused)}`, RESTART);
}

function ofBot(status: Parameters<typeof limitsOfBot>[0], config: Config): LimitTexts | undefined {
  const bot = limitsOfBot(status, config);
  if (bot !== undefined && bot.limits === undefined)
    throw new CommandFailure(exitCode.failed, `the running bot, process ${bot.pid}, has not named its limits yet`);
  return bot?.limits;
}

async function taken(inForce: () => LimitTexts | undefined, tighter: readonly Difference[]): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
    await pause(systemTimers, LOOK_MS);
    const now = inForce();
    if (now === undefined || tighter.every(({ name, to }) => now[name] === textOf(to))) return;
  }
  throw new CommandFailure(
    exitCode.failed,
    `the running bot has not taken the limits over within ${WAIT_MS / 1_000} s: ${changeText(tighter)}`,
    "pegbot status shows by which it goes; it reads its own file with its own variables",
  );
}

function textOf(value: Difference["to"]): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function plain({ name, from, to, is }: Difference) {
  return { name, from: from ?? null, to: to ?? null, is };
}
