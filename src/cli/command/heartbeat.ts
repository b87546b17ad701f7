// `heartbeat`: an operator, or a watchdog outside, says that sending is still wanted (RC25). A control in the journal as a resume
// is: a running bot hears of it within a second, and one that starts later finds it there.

import type { Command } from "commander";
import { plainFailure } from "../../app/command-failure.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { inBotTime } from "../../app/journal/bot-time.ts";
import { openAsItIs, requireOpening } from "../../app/kill-switch/standing-journal.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { personHere } from "../../app/terminal/confirmation.ts";
import type { Result } from "../../domain/result.ts";

export function defineHeartbeat(command: Command, run: Run): void {
  command
    .option("--json", "print until when as JSON")
    .action((options: HeartbeatOptions) => run((shell) => heartbeat(shell, options)));
}

type HeartbeatOptions = { readonly json?: boolean };

export async function heartbeat(shell: Shell, { json = false }: HeartbeatOptions = {}): Promise<ExitCode> {
  const { terminal } = shell;
  const { journal: place, risk } = botConfig(shell);
  const { opening } = requireOpening(place.path);
  const at = (await inBotTime(shell, opening.account)).clock.now();
  const journal = openAsItIs(shell, place.path, opening);
  try {
    // Nothing of what is there bears on it: what came before is no news.
    done(journal.caughtUp(done(journal.head())));
    const control = { kind: "heartbeat", by: personHere() } as const;
    done(await journal.transact(() => ({ records: [{ kind: "control", at, control }], value: undefined })));
  } finally {
    journal.close();
  }
  const silenceMsMax = risk?.heartbeatMsMax;
  const until = silenceMsMax === undefined ? undefined : new Date(at + silenceMsMax).toISOString();
  if (json) terminal.json({ at, until: until ?? null });
  else if (until === undefined)
    terminal.print("written down; risk.heartbeatMsMax is not set, so no order waits for it");
  else terminal.print(`sending is wanted until ${until} (risk.heartbeatMsMax)`);
  return exitCode.done;
}

function done<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw plainFailure(result.error.message);
  return result.value;
}
