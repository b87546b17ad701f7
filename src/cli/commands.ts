// Every command with its heading, its summary and the file that defines it. A file is loaded only if the command line
// names its command, so that --help and --version stay quick.

import type { Command } from "commander";
import type { Run } from "../app/shell.ts";

/** Adds arguments, options and the action to a command. */
type Define = (command: Command, run: Run) => void;

/** The headings of --help, each with its commands. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Trading:": {
    start: "trade on paper with no configuration: a simulator inside, the built-in strategy, a complete set of limits",
    run: "run the bot from the configuration, on paper, in shadow or live",
    order: "one order through risk, journal and protocol",
    status: "state and way out, holdings, open orders, last decisions; also while no bot runs",
    why: "one decision: quote, rules, room of the limits, slot, and what became of it; without an id, why it does not trade",
    adopt: "show venue against journal, and take the difference over when a person accepts it",
    resolve: "close an order, mint, rail or payment that evidence could not decide, with the venue's own record",
    halt: "stop: no order, mint or rail leaves until a person resumes; reading and resolving go on",
    resume: "take a stop back, whoever set it; asks for a reason and a typed confirmation",
    heartbeat: "say that sending is still wanted, where risk.heartbeatMsMax asks for it; for a timer or a watchdog",
    mcp: "tools for an agent on stdin and stdout: it reads, asks why, and proposes what a person approves",
    pair: "a token for a phone that may look and halt, as a QR code of the page",
    token: "who may look at a running bot, halt it or approve over its API: list, add, revoke",
    limits: "the limits that a running bot goes by",
    "limits reload": "have the running bot take over what the configuration has tighter by now",
    journal: "what happened: list, show, verify, export, backup, anchor",
    "journal list": "the newest records, one line each",
    "journal show": "one record with everything in it, as JSON",
    "journal verify": "pages, every record of the chain, and the anchor; exit code 1 when damaged",
    "journal export": "every record, or each movement of money once, to files only you can read, or to - for stdout",
    "journal conversions": "what each conversion cost, and what the other ways would have cost then, by route",
    "journal backup": "a verified copy with anchor and kill file, in a new folder, while the bot runs",
  },
  "Treasury:": {
    convert: "from one money to another by the cheapest way, with the table of ways",
    conversion: "pause, resume or finish a conversion that is under way",
    rebalance: "the cheapest way to bring every holding within its band",
    approve: "agree to a plan that the bot, or another person, proposed",
    decline: "say no to a plan that the bot, or another person, proposed",
    mint: "new coins against fiat on account",
    rail: "payment rails: fiat to coins (on), coins to fiat (off)",
    "rail on": "register a rail from a bank account to a wallet",
    "rail off": "register a rail from coins to a bank account",
  },
  "Set-up:": {
    init: "write a commented configuration and a key pair, by questions or flags",
    config: "check, show or describe the configuration",
    "config check": "every mistake in the file and in PEGBOT__ variables; exit code 2 when there is one",
    "config show": "the configuration in force, secrets masked, and where each value came from",
    "config schema": "the JSON Schema of the configuration, for editors",
    keys: "key pairs: generate, show, encrypt",
    "keys generate": "make a key pair; the private half goes to a file only you can read, the public half is printed",
    "keys show": "public key, fingerprint and curve of a key; never the private half",
    "keys encrypt": "put the private key of a PEM file into an age keystore",
    completion: "complete command lines in bash, zsh or fish",
    profile: "how a venue is spoken to: profiles that are shared",
    "profile show": "the switches of a profile with what showed each; a file or a preset",
    "profile diff": "where two profiles differ",
    doctor: "check configuration, key, ledger, connection, clock, signature and account; reads only",
    rehearse:
      "the guided first day: the smallest order and what the venue shows of it, an order that cannot fill, a page",
  },
  "Venue:": {
    assets: "assets that the venue lists",
    pairs: "pairs that can be traded, with minimum and decimals",
    quotes: "prices of the venue, where it publishes them",
    balances: "what the account holds",
    orders: "orders of the account, whoever placed them",
    trades: "trades of the account: what was bought, sold and paid in fees",
    payments: "payments of rails and their settlement",
    supply: "mints of an asset and their states",
    rails: "payment rails and their states",
    addresses: "whitelisted withdrawal addresses, or the address for deposits",
    simulator: "run a simulated venue on loopback: API, portal, reference feeds, faults on demand",
  },
  "Research:": {
    data: "prices for backtests: columns, generate, import, inspect, record",
    "data columns": "prices as a kernel of sweep --screen sees them, in one file",
    "data generate": "synthetic prices of the simulator's market as column files",
    "data import": "CSV or Parquet as a column file with a manifest; exit code 2 at a bad row",
    "data inspect": "what is in a column file or a folder of them; exit code 2 where it is damaged",
    "data record": "write down what the configuration's feeds say and its venue quotes, for later backtests",
    market: "the simulated market",
    "market fit": "parameters of the simulated market from a recording, as a file for --market",
    backtest: "the bot over a year by episode, or over other prices: a table, and a report as one HTML page",
    "backtest check":
      "does a strategy know anything but its view? runs it with the future changed; exit code 1 if it does",
    parity: "one seed as a backtest and as paper over HTTP, by trace hash; exit code 1 and the first step that differs",
    sweep: "many backtests over parameters (--param edgeBps=1..10:1), ranked by what the choice has not seen",
    "walk-forward":
      "parameters chosen over one time (--param edgeBps=1..10:1) and judged over the next, window by window",
    worker: "run trials of sweeps that a queue has (sweep --queue), until stopped",
  },
};

const operation = async (): Promise<Define> => (await import("./command/operation.ts")).defineOperation;
const reads = async (): Promise<Define> => (await import("./command/read.ts")).defineRead;

/** A command without a file is only a group. */
const DEFINITIONS: Readonly<Record<string, () => Promise<Define>>> = {
  start: async () => (await import("./command/run.ts")).defineStart,
  run: async () => (await import("./command/run.ts")).defineRun,
  order: operation,
  status: async () => (await import("./command/status.ts")).defineStatus,
  why: async () => (await import("./command/why.ts")).defineWhy,
  adopt: operation,
  resolve: operation,
  halt: async () => (await import("./command/halt.ts")).defineHalt,
  resume: async () => (await import("./command/resume.ts")).defineResume,
  heartbeat: async () => (await import("./command/heartbeat.ts")).defineHeartbeat,
  mcp: async () => (await import("./command/mcp.ts")).defineMcp,
  pair: async () => (await import("./command/pair.ts")).definePair,
  token: async () => (await import("./command/token.ts")).defineToken,
  "limits reload": async () => (await import("./command/limits.ts")).defineReload,
  "journal list": async () => (await import("./command/journal.ts")).defineList,
  "journal show": async () => (await import("./command/journal.ts")).defineShow,
  "journal verify": async () => (await import("./command/journal.ts")).defineVerify,
  "journal export": async () => (await import("./command/journal-export.ts")).defineExport,
  "journal conversions": async () => (await import("./command/journal-conversions.ts")).defineConversions,
  "journal backup": async () => (await import("./command/journal-backup.ts")).defineBackup,
  convert: operation,
  conversion: operation,
  rebalance: async () => (await import("./command/rebalance.ts")).defineRebalance,
  approve: async () => (await import("./command/approve.ts")).defineAnswer,
  decline: async () => (await import("./command/approve.ts")).defineAnswer,
  mint: operation,
  "rail on": operation,
  "rail off": operation,
  init: async () => (await import("./command/init.ts")).defineInit,
  "config check": async () => (await import("./command/config-check.ts")).defineCheck,
  "config show": async () => (await import("./command/config-show.ts")).defineShow,
  "config schema": async () => (await import("./command/config-show.ts")).defineSchema,
  "keys generate": async () => (await import("./command/keys.ts")).defineGenerate,
  "keys show": async () => (await import("./command/keys.ts")).defineShow,
  "keys encrypt": async () => (await import("./command/keys.ts")).defineEncrypt,
  completion: async () => (await import("./command/completion.ts")).defineCompletion,
  "profile show": async () => (await import("./command/profile.ts")).defineShow,
  "profile diff": async () => (await import("./command/profile.ts")).defineDiff,
  doctor: async () => (await import("./command/doctor.ts")).defineDoctor,
  rehearse: async () => (await import("./command/rehearse.ts")).defineRehearse,
  ...{ assets: reads, pairs: reads, quotes: reads, balances: reads, orders: reads, trades: reads, payments: reads },
  ...{ supply: reads, rails: reads, addresses: reads },
  simulator: async () => (await import("./command/simulator.ts")).defineSimulator,
  "data columns": async () => (await import("./command/data-columns.ts")).defineColumns,
  "data generate": async () => (await import("./command/data-generate.ts")).defineGenerate,
  "data import": async () => (await import("./command/data-import.ts")).defineImport,
  "data inspect": async () => (await import("./command/data-inspect.ts")).defineInspect,
  "data record": async () => (await import("./command/data-record.ts")).defineRecord,
  "market fit": async () => (await import("./command/market-fit.ts")).defineMarketFit,
  backtest: async () => (await import("./command/backtest.ts")).defineBacktest,
  "backtest check": async () => (await import("./command/backtest-check.ts")).defineBacktestCheck,
  parity: async () => (await import("./command/parity.ts")).defineParity,
  sweep: async () => (await import("./command/sweep.ts")).defineSweep,
  "walk-forward": async () => (await import("./command/walk-forward.ts")).defineWalkForward,
  worker: async () => (await import("./command/worker.ts")).defineWorker,
};

/** Commands that run until they are stopped, one that writes files, and one that takes --json from its parent. */
const WITHOUT_JSON: ReadonlySet<string> = new Set([
  ...["start", "run", "simulator", "worker", "mcp", "journal export", "backtest check", "completion"],
]);

/** `words` is the command line; without it every command is defined. */
export async function addCommands(program: Command, run: Run, words: readonly string[] | undefined): Promise<void> {
  for (const [heading, summaries] of Object.entries(COMMANDS))
    for (const [path, summary] of Object.entries(summaries)) {
      const names = path.split(" ");
      const parent = names.length === 1 ? program : program.commands.find((one) => one.name() === names[0]);
      const command = parent?.command(names.at(-1) ?? "").description(summary);
      if (parent === program) command?.helpGroup(heading);
      if (command === undefined || !names.every((name) => words?.includes(name) ?? true)) continue;
      const define = await DEFINITIONS[path]?.();
      define?.(command, run);
      if (define !== undefined && !WITHOUT_JSON.has(path)) command.option("--json", "print the result as JSON");
    }
}
