// `start`: the bot on paper, with no configuration at all: embedded simulator, built-in strategy, the paper limits.

import { runBot } from "../bot/run-bot.ts";
import { startConfig } from "../config/start-config.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

export type StartFlags = { readonly port?: number };

export function start(shell: Shell, { port }: StartFlags): Promise<ExitCode> {
  const config = startConfig();
  shell.terminal.print(
    "pegbot trades on paper, on a simulator of its own: no real money, nothing to configure. Ctrl-C stops it.",
  );
  const place = { port: port ?? config.server.port, anyPort: port === undefined };
  const order = { config, ...place, watch: false, logJson: false, durationMs: undefined };
  return runBot(shell, order);
}
