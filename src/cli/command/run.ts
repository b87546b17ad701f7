// `start` and `run`: the bot, on paper without any configuration, and from one.

import { type Command, Option } from "commander";
import { requireWatchable, runBot } from "../../app/bot/run-bot.ts";
import { fileConfig } from "../../app/config/bot-config.ts";
import { startConfig } from "../../app/config/start-config.ts";
import type { ExitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import type { Config } from "../../config/schema.ts";
import { port, runDuration } from "../option/values.ts";

export function defineRun(command: Command, run: Run): void {
  command
    .addOption(
      new Option("--mode <mode>", "instead of the configuration's; live needs all that live mode needs").choices([
        "paper",
        "live",
      ]),
    )
    .option("--duration <time>", "end after this long: 60s, 10m, 8h", runDuration)
    .option("--port <n>", PORT, port)
    .option("--watch", "take each save of the strategy file while running; paper only")
    .option("--log-json", "one JSON object a line on stderr instead of text")
    .action((flags: RunFlags) => run((shell) => runCommand(shell, flags)));
}

export function defineStart(command: Command, run: Run): void {
  command.option("--port <n>", PORT, port).action((flags: StartFlags) => run((shell) => start(shell, flags)));
}

const PORT = "port of page, metrics and control on this machine; 0 takes a free one";

export type RunFlags = {
  readonly mode?: Config["mode"];
  readonly duration?: number;
  readonly port?: number;
  readonly watch?: boolean;
  readonly logJson?: boolean;
};

export async function runCommand(shell: Shell, flags: RunFlags): Promise<ExitCode> {
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

type StartFlags = { readonly port?: number };

function start(shell: Shell, { port }: StartFlags): Promise<ExitCode> {
  const config = startConfig();
  shell.terminal.print(
    "pegbot trades on paper, on a simulator of its own: no real money, nothing to configure. Ctrl-C stops it.",
  );
  const place = { port: port ?? config.server.port, anyPort: port === undefined };
  const order = { config, ...place, watch: false, logJson: false, durationMs: undefined };
  return runBot(shell, order);
}
