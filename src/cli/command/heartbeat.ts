// `heartbeat`: an operator or an external watchdog confirms that sending is still wanted (RC25). It is on record, so that
// a later start finds it.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { decided } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { heartbeat as operation } from "../../operation/heartbeat.ts";
import { personHere } from "../../operation/person.ts";

export function defineHeartbeat(command: Command, run: Run): void {
  command.action(() => run(heartbeat));
}

export async function heartbeat(shell: Shell): Promise<ExitCode> {
  const { terminal } = shell;
  const { risk } = botConfig(shell);
  const { at } = await decided<{ readonly at: number }>(shell, operation, { by: personHere() });
  const silenceMsMax = risk?.heartbeatMsMax;
  const until = silenceMsMax === undefined ? undefined : new Date(at + silenceMsMax).toISOString();
  if (terminal.wantsJson) terminal.json({ at, until: until ?? null });
  else if (until === undefined)
    terminal.print("written down; risk.heartbeatMsMax is not set, so no order waits for it");
  else terminal.print(`sending is wanted until ${until} (risk.heartbeatMsMax)`);
  return exitCode.done;
}
