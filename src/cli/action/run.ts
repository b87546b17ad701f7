// `run`: the bot from a configuration, on paper or live.

import type { Config } from "../../config/schema.ts";
import { requireWatchable, runBot } from "../bot/run-bot.ts";
import { fileConfig } from "../config/bot-config.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

export type RunFlags = {
  readonly mode?: Config["mode"];
  readonly duration?: number;
  readonly port?: number;
  readonly watch?: boolean;
  readonly logJson?: boolean;
};

export async function run(shell: Shell, flags: RunFlags): Promise<ExitCode> {
  const { mode, duration, watch = false, logJson = false } = flags;
  const flagged = mode === undefined ? undefined : { flag: "--mode", variable: "PEGBOT__MODE", value: mode };
  const config = fileConfig(shell, flagged);
  if (watch) requireWatchable(config);
  // Said once it is true: many a start is refused before.
  const onOpen = (): void => shell.terminal.print(headline(config));
  const port = flags.port ?? config.server.port;
  return runBot(shell, { config, file: shell.configFile, port, watch, logJson, durationMs: duration, onOpen });
}

function headline({ mode, venue, strategy }: Config): string {
  if (mode === "live")
    return `pegbot trades REAL MONEY on ${venue.environment}, ${venue.baseUrl}, with ${strategy.use}`;
  return `pegbot trades on paper, ${venue.baseUrl ?? "on a simulator of its own"}, with ${strategy.use}`;
}
