// `start` and `run`: the bot, on paper without a configuration, and from a configuration.

import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { requireWatchable, runBot } from "../../app/bot/run-bot.ts";
import { fileConfig } from "../../app/config/bot-config.ts";
import { isEmbedded, paperPlace } from "../../app/config/paper-place.ts";
import { startConfig } from "../../app/config/start-config.ts";
import { CONFIG_FILE, type Run, type Shell } from "../../app/shell.ts";
import type { Config } from "../../config/schema.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import type { ScenarioName } from "../../domain/scenario.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { LOG_LEVELS, type LogLevel } from "../../watch/log.ts";
import { parseFunds } from "../option/funds.ts";
import { MARKET_HELP, marketSettings, quotesOption, type Shown } from "../option/market-parameters.ts";
import { port, runDuration, wholeNumber } from "../option/values.ts";

export function defineRun(command: Command, run: Run): void {
  command
    .addOption(
      new Option("--mode <mode>", "instead of the configuration's; live needs all that live mode needs").choices([
        "paper",
        "shadow",
        "live",
      ]),
    )
    .addOption(new Option("--shadow", "as --mode shadow: reads the venue, fills from a local book").conflicts("mode"))
    .option("--market <name>", `instead of market.source, on paper: ${MARKET_HELP}`, marketSettings, [])
    .addOption(quotesOption())
    .option("--funds <list>", FUNDS)
    .option("--speed <n>", SPEED, wholeNumber(1, 1_000_000))
    .option("--duration <time>", "end after this long: 60s, 10m, 8h", runDuration)
    .option("--port <n>", PORT, port)
    .option("--fresh-state", FRESH)
    .option("--watch", "take each save of the strategy file while running; not live")
    .option("--log-json", "one JSON object a line on stderr, also where that is a terminal")
    .addOption(logLevel())
    .action((flags: RunFlags) => run((shell) => runCommand(shell, flags)));
}

export function defineStart(command: Command, run: Run): void {
  command
    .option("--port <n>", PORT, port)
    .option("--market <name>", MARKET_HELP, marketSettings, [])
    .addOption(quotesOption())
    .option("--funds <list>", FUNDS)
    .option("--speed <n>", SPEED, wholeNumber(1, 1_000_000))
    .option("--fresh-state", FRESH)
    .addOption(logLevel())
    .action((flags: StartFlags) => run((shell) => start(shell, flags)));
}

function logLevel(): Option {
  return new Option("--log-level <level>", "leave out lines of the log below it").choices(LOG_LEVELS).default("info");
}

const FRESH = "let the strategy begin anew where its state does not fit; otherwise such a start is refused";
const FUNDS = "what a new paper account has: CHF=250000,VCHF=50000";
const SPEED = "on paper: mints, rails and payments settle so many times faster";
const PORT = "port of page, metrics and control on this machine; 0 takes a free one";

export type RunFlags = {
  readonly mode?: Config["mode"];
  readonly shadow?: boolean;
  readonly market?: readonly string[];
  readonly quotes?: Shown;
  readonly funds?: string;
  readonly speed?: number;
  readonly duration?: number;
  readonly port?: number;
  readonly freshState?: boolean;
  readonly watch?: boolean;
  readonly logJson?: boolean;
  readonly logLevel?: LogLevel;
};

export async function runCommand(shell: Shell, flags: RunFlags): Promise<ExitCode> {
  const { shadow, mode = shadow ? "shadow" : undefined, market = [], funds, speed, duration } = flags;
  const { watch = false, freshState = false, logJson = false, logLevel = "info" } = flags;
  const wanted: readonly (readonly [flag: string, key: string, value: unknown])[] = [
    ["--mode", "MODE", mode],
    ["--market", "MARKET__SOURCE", market.join(" ") || undefined],
    ["--funds", `${mode === "shadow" ? "SHADOW" : "PAPER"}__FUNDS`, funds && JSON.stringify(fundsOf(funds))],
    ["--speed", "PAPER__SPEED", speed],
  ];
  const flagged = wanted.flatMap(([flag, key, value]) =>
    value === undefined ? [] : [{ flag, variable: `PEGBOT__${key}`, value: String(value) }],
  );
  const config = showing(fileConfig(shell, flagged), flags.quotes);
  if (speed !== undefined || (funds !== undefined && mode !== "shadow"))
    if (!isEmbedded(config))
      throw usageFailure("--funds and --speed are of the account on the simulator inside the bot");
  if (watch) requireWatchable(config);
  // Printed only when the bot is open, because many starts are refused before.
  const onOpen = (): void => shell.terminal.print(headline(config));
  const port = flags.port ?? config.server.port;
  const order = { config, port, watch, freshState, logJson, logLevel, durationMs: duration, onOpen };
  return runBot(shell, { ...order, file: shell.configFile });
}

function headline({ mode, venue, strategy }: Config): string {
  if (mode === "live")
    return `pegbot trades REAL MONEY on ${venue.environment}, ${venue.baseUrl}, with ${strategy.use}`;
  if (mode === "shadow")
    return `pegbot SHADOWS ${venue.baseUrl} with ${strategy.use}: it reads the venue, and every fill is of a local book; nothing moves money`;
  return `pegbot trades on paper, ${venue.baseUrl ?? "on a simulator of its own"}, with ${strategy.use}`;
}

/** A limit or a balance is not full within minutes: the demo market stays on one side for an hour. */
const SMALL = { size: 400, pauseMs: 10_000 };
const DEMO = "demo" satisfies ScenarioName;
const GENEROUS =
  "Demo market: prices built to be earned from. `start --market calibrated` in a new folder is as hard as a real one.";

const NOT_READ = `start does not read ${CONFIG_FILE}: this account has the default settings, and pegbot run trades by that file. In this folder status, convert and every other command mean the bot of ${CONFIG_FILE}.`;

function fundsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(parseFunds("--funds", text));
}

type StartFlags = Pick<RunFlags, "port" | "market" | "quotes" | "funds" | "speed" | "freshState" | "logLevel">;

/** Instead of the profile's. */
function showing(config: Config, quotes: Shown | undefined): Config {
  if (quotes === undefined) return config;
  const { venue } = config;
  return { ...config, venue: { ...venue, profile: { preset: "contract", ...resolveProfile(venue.profile), quotes } } };
}

/** On paper the limits leave room for more than the default. */
const ORDERS_PER_DAY = 15_000;

function start(
  shell: Shell,
  { port, market = [], quotes, funds, speed, freshState = false, logLevel = "info" }: StartFlags,
): Promise<ExitCode> {
  if (shell.isConfigNamed)
    throw usageFailure("start takes no configuration: nothing was started", `pegbot run --config ${shell.configFile}`);
  const isNew = !existsSync(paperPlace(startConfig().journal.path).state);
  // A known account keeps its market. On the default one a taker hardly trades, and a first look would show nothing.
  const source = market.join(" ") || (isNew ? DEMO : undefined);
  const paper = { ...(funds !== undefined && { funds: fundsOf(funds) }), ...(speed !== undefined && { speed }) };
  const plain = showing(startConfig(source, paper), quotes);
  const params = quotes === "absent" ? { ...SMALL, ordersPerDay: ORDERS_PER_DAY } : SMALL;
  const config = { ...plain, strategy: { ...plain.strategy, params } };
  const where = source === undefined ? "a simulator of its own" : `its own simulated market "${source}"`;
  shell.terminal.print(`pegbot trades on paper, on ${where}: no real money, nothing to configure. Ctrl-C stops it.`);
  if (source === DEMO) shell.terminal.print(GENEROUS);
  if (existsSync(CONFIG_FILE)) shell.terminal.print(NOT_READ);
  const place = { port: port ?? config.server.port, anyPort: port === undefined };
  const order = { config, ...place, watch: false, freshState, logJson: false, logLevel, durationMs: undefined };
  return runBot(shell, order);
}
