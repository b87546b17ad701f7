// `limits reload`: the running bot reads its configuration again and adopts the limits that it has tightened.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { changeText } from "../../app/config/limits-in-force.ts";
import { requireOpening } from "../../app/journal/open-reader.ts";
import { askedOwner } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { limits } from "../../operation/limits.ts";
import type { ReloadedLimits } from "../../operation/owner.ts";

const HELP = `
The running bot reads its configuration again, takes over at once what is
tighter than what it goes by, and journals what changed and who asked. SIGHUP to
a bot without a terminal does the same. A widening is refused: it counts from
the next start on. Ends with 0 in force, 1 the bot did not answer, 2 mistakes in
the configuration, 3 some limit is not tighter, and was not taken over.`;

export function defineReload(command: Command, run: Run): void {
  command.addHelpText("after", HELP).action(() => run(reloadLimits));
}

const RESTART = "a widening needs a restart: stop the bot and start it again, or put the configuration back";

async function reloadLimits(shell: Shell): Promise<ExitCode> {
  const { terminal } = shell;
  requireOpening(botConfig(shell).journal.path);
  const reloaded = await askedOwner<ReloadedLimits>(shell, limits, {});
  const { tighter, refused } = reloaded ?? { tighter: [], refused: [] };
  if (terminal.wantsJson) terminal.json(reloaded ?? { bot: null, tighter, refused });
  else if (reloaded === undefined)
    terminal.print("no bot runs on this journal: the limits of the configuration count from its start on");
  else if (tighter.length > 0) terminal.print(`in force  ${changeText(tighter)}`);
  else if (refused.length === 0) terminal.print("the bot goes by the limits of the configuration already");
  if (refused.length === 0) return exitCode.done;
  if (terminal.wantsJson) return exitCode.refused;
  throw new CommandFailure(exitCode.refused, `not taken over: ${changeText(refused)}`, RESTART);
}
