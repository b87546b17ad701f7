// `start` and `run`: the bot, without any configuration and from one.

import { type Command, InvalidArgumentError, Option } from "commander";
import type { RunFlags } from "../action/run.ts";
import type { StartFlags } from "../action/start.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerStart(program: Command, run: Run): void {
  program
    .command("start")
    .helpGroup(group.trading)
    .description(
      "trade on paper with no configuration: a simulator inside, the built-in strategy, a complete set of limits",
    )
    .option("--port <n>", PORT, port)
    .action((flags: StartFlags) => run(async (shell) => (await import("../action/start.ts")).start(shell, flags)));
  program
    .command("run")
    .helpGroup(group.trading)
    .description("run the bot from the configuration, on paper or live")
    .addOption(
      new Option("--mode <mode>", "instead of the configuration's; live needs all that live mode needs").choices([
        "paper",
        "live",
      ]),
    )
    .option("--duration <time>", "end after this long: 60s, 10m, 8h", duration)
    .option("--port <n>", PORT, port)
    .option("--watch", "take each save of the strategy file while running; paper only")
    .option("--log-json", "one JSON object a line on stderr instead of text")
    .action((flags: RunFlags) => run(async (shell) => (await import("../action/run.ts")).run(shell, flags)));
}

const PORT = "port of page, metrics and control on this machine; 0 takes a free one";

function port(text: string): number {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 65_535)) throw new InvalidArgumentError("must be a whole number from 0 to 65535");
  return value;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** A timer cannot wait longer. */
const DURATION_MS_MAX = 2 ** 31 - 1;

function duration(text: string): number {
  const [, count, unit = ""] = /^([1-9][0-9]{0,6})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (!(ms <= DURATION_MS_MAX)) throw new InvalidArgumentError("must look like 60s, 10m or 8h, and be at most 24 days");
  return ms;
}
