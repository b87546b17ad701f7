// The commands, from the command line itself: what each does, its arguments and its options.

import type { Command } from "commander";
import type { Terminal } from "../../src/app/terminal/terminal.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createProgram } from "../../src/cli/program.ts";
import { exitCode } from "../../src/domain/exit-code.ts";
import { code, table } from "./table.ts";

/** Where a command is shown at work. */
const GUIDES: Readonly<Record<string, string>> = {
  start: "../operate/run.md",
  run: "../operate/run.md",
  order: "../operate/run.md#exit-codes-of-orders-mints-and-rails",
  status: "../operate/watch.md#reading-status",
  adopt: "../concepts/unknown.md#closing-by-hand",
  resolve: "../concepts/unknown.md#closing-by-hand",
  halt: "../operate/stop.md#stopping-everything",
  resume: "../operate/stop.md#resuming",
  heartbeat: "../operate/alerts.md#pegbotreduced",
  pair: "../guides/page.md#who-may-look-and-who-may-act",
  token: "../guides/page.md#who-may-look-and-who-may-act",
  limits: "../guides/limits.md#changing-limits-while-the-bot-runs",
  journal: "../operate/journal.md#commands",
  convert: "../guides/treasury.md#conversions",
  conversion: "../guides/treasury.md#conversions",
  rebalance: "../guides/treasury.md#rebalancing",
  approve: "../guides/treasury.md#approvals",
  decline: "../guides/treasury.md#saying-no",
  mint: "../guides/treasury.md#mints",
  rail: "../guides/treasury.md#rails",
  init: "../guides/keys.md#keys",
  config: "../guides/configuration.md",
  keys: "../guides/keys.md#keys",
  profile: "../guides/profile.md#profiles-that-are-shared",
  doctor: "../guides/doctor.md#doctor",
  rehearse: "../guides/doctor.md#rehearsal",
  simulator: "../guides/simulator.md",
  data: "../guides/data.md",
  market: "../guides/market.md",
  backtest: "../guides/backtest.md",
  parity: "../guides/backtest.md#is-it-what-paper-does",
  sweep: "../guides/sweep.md",
  "walk-forward": "../guides/sweep.md#walk-forward",
  worker: "../guides/sweep.md#on-several-machines",
};

const EXITS: Readonly<Record<keyof typeof exitCode, string>> = {
  done: "done",
  failed: "failed",
  usage: "bad usage or configuration",
  refused: "refused by venue or risk",
  unknown: "outcome unknown: money may have moved",
  halted: "ended or refused while halted",
  noRuntime: "no runtime",
};

export async function commandsPage(): Promise<string> {
  const program = await createProgram({} as Terminal, async () => {});
  const exits = Object.entries(exitCode).map(([name, number]) => [
    String(number),
    EXITS[name as keyof typeof exitCode],
  ]);
  const parts = Object.keys(COMMANDS).map((heading) => {
    const inGroup = program.commands.filter((command) => command.helpGroup() === heading && command.name() !== "help");
    return [`## ${heading.replace(":", "")}`, ...inGroup.flatMap((command) => described(command, []))].join("\n\n");
  });
  const common = optionsOf(program);
  return [
    "# Commands",
    "`npx pegbot` in the checkout. Tables go to stdout, everything else to stderr; `--json` prints one value ([more](../operate/run.md#output-for-programs)). What moves money or reads the venue asks the running bot; without one the command does it itself.",
    "## Exit codes",
    table(["code", "meaning"], exits),
    "## Options of every command",
    table(["option", ""], common),
    ...parts,
  ].join("\n\n");
}

function described(command: Command, path: readonly string[]): readonly string[] {
  const help = command.createHelp();
  const words = [...path, command.name()];
  const guide = path.length === 0 ? GUIDES[command.name()] : undefined;
  const rest = command.registeredArguments.map((argument) => help.argumentTerm(argument));
  const given = command.registeredArguments.map((argument) => {
    const term = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
    return argument.variadic ? term.replace(/([>\]])$/, "...$1") : term;
  });
  const options = optionsOf(command);
  const children = command.commands.filter((one) => one.name() !== "help");
  const about = command.registeredArguments.filter((one) => help.argumentDescription(one) !== "");
  return [
    `### ${words.join(" ")}`,
    `${sentence(command.description())}${guide === undefined ? "" : ` ([guide](${guide}))`}`,
    ...(children.length > 0 && rest.length === 0 && options.length === 0
      ? []
      : [`    pegbot ${[...words, ...given].join(" ")}`]),
    ...(about.length === 0 && options.length === 0
      ? []
      : [table(["given", ""], [...about.map((one) => [code(one.name()), help.argumentDescription(one)]), ...options])]),
    ...children.flatMap((child) => described(child, words)),
  ];
}

function optionsOf(command: Command): readonly (readonly string[])[] {
  const help = command.createHelp();
  const shown = command.options.filter(({ hidden }) => !hidden);
  return shown.map((option) => [code(help.optionTerm(option)), help.optionDescription(option)]);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? "" : "."}`;
}
