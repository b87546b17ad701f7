// The commands of the operations that move money, or change the books by a person's word. Arguments and options are the
// fields of an operation's input, with the words of its schema.

import { Argument, type Command, Option } from "commander";
import { z } from "zod";
import type { Run } from "../../app/shell.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { amountText } from "../../domain/amount-text.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import { complaintsOf } from "../../domain/schema-complaint.ts";
import { millis } from "../../domain/time.ts";
import { durationText, utcText } from "../../domain/time-text.ts";
import type { ShownConversion } from "../../operation/convert.ts";
import type { MoneyOperation } from "../../operation/money.ts";
import { MONEY_OPERATIONS } from "../../operation/table.ts";
import { type AskOptions, asking } from "../asking.ts";
import { columns } from "../columns.ts";
import { runDuration } from "../option/values.ts";

const EXIT_CODES = `
Ends with 0 done (with --wait: settled or working; with --propose: it waits), 1
not sent though nothing refused it (nothing moved: try again), 2 something is
missing or unreadable, 3 refused by a rule or by the venue, 4 unknown, held or
not listed in time (money may have moved: do not repeat it, the bot resolves
it), 5 halted or killed.`;

const PROPOSED = `
It is sent once; a running bot follows it. With --propose nothing is sent: where
two people must approve, it waits as a plan for pegbot approve of another.`;

const HELP: Readonly<Record<string, string>> = {
  order: `
Fill-or-Kill: all of it at the price or better, or nothing. It passes the same
risk gate as the bot's own orders. Where a limit leaves less than <qty>, pegbot
shows that size and asks; with --yes it refuses, unless --cap is given. After
the venue's answer it stays until the venue's trade list shows the fill.${EXIT_CODES}`,
  mint: `
Pays from the coin's own fiat, at once; the coins settle hours later. With
--spend "1.7 BTC" it pays in crypto that the venue converts first, never more
than that, fee included. The last decimals of the quantity are made
recognisable: at most a 100,000th less. One mint of a coin at a time.${PROPOSED}${EXIT_CODES}`,
  convert: `
Prices every way there is now: orders at the sizes shown, over one pair or two,
a mint, and several of them together. Each step passes the same gates as
order, mint and rail, and is priced when it is sent; the owner of the key goes
on with it until it ends, over restarts. With --by it waits for a better price
as long as time is left for the rest. Two examples:
  pegbot convert 105000 VCHF CHF --by 17:00 --max-cost-bps 8
  pegbot convert 50000 VCHF VGBP --buy${EXIT_CODES}`,
  rail: `
A template of treasury.rails has everything; flags beat it. Destinations stand
in treasury.destinations, and a wallet must be whitelisted and confirmed at the
venue. The same content a second time needs --another.${PROPOSED}${EXIT_CODES}`,
};

type Words = {
  readonly description?: string;
  /** The name of an argument; any other field is an option. */
  readonly argument?: string;
  /** What the value of an option is. */
  readonly value?: string;
  /** An option for each value, with its words. */
  readonly ends?: Readonly<Record<string, string>>;
};

/** The words of a command that stand for fields: `rail on`. */
const FIXED: Readonly<Record<string, object>> = { on: { direction: "on" }, off: { direction: "off" } };

export function defineOperation(command: Command, run: Run): void {
  const fixed = FIXED[command.name()] ?? {};
  const name = command.name() in FIXED ? "rail" : command.name();
  const money = MONEY_OPERATIONS.find((one) => one.name === name) as MoneyOperation;
  const { shape } = money.input as unknown as z.ZodObject<Record<string, z.ZodType>>;
  const fields = Object.entries(shape).filter(([field]) => !(field in fixed));
  const read = fields.map(([field, schema]) => declared(command, field, schema));
  for (const [flag, text] of Object.entries(money.caveats ?? {})) command.option(flag, text);
  command
    .option("--yes", "confirm without a terminal")
    .option("--preview", "show what would be sent, and send nothing")
    .option("--id <uuid>", "ask again: a known id sends nothing, and says what became of it")
    .addHelpText("after", HELP[name] ?? "")
    .action(() => {
      const options = command.opts<AskOptions & Readonly<Record<string, unknown>>>();
      const args = [...command.processedArgs];
      const given = read.map((field) => field(options, args));
      const input = { ...fixed, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
      const needsReason = shape.reason?.safeParse(undefined).success === false;
      const checked = money.input.safeParse(needsReason ? { reason: "-", ...input } : input);
      const called = ([field]: readonly PropertyKey[]): string => {
        const { argument } = (shape[String(field)]?.meta() ?? {}) as Words;
        return argument === undefined ? nameOf(String(field)) : `<${argument}>`;
      };
      if (!checked.success) throw usageFailure(complaintsOf(checked.error.issues, input, called).join("; "));
      const flags = Object.keys(money.caveats ?? {}).filter((flag) => options[camel(flag)] === true);
      const show = name === "convert" ? { show: showConversion } : {};
      return asking(run, { name, input, flags, ...show, ...(needsReason && { needsReason }) }, options);
    });
}

type Read = (options: Readonly<Record<string, unknown>>, args: unknown[]) => readonly [string, unknown];

/** Declares the field, and returns how its value is read. */
function declared(command: Command, field: string, schema: z.ZodType): Read {
  const { description = "", argument, value = field, ends } = (schema.meta() ?? {}) as Words;
  const isOptional = schema.safeParse(undefined).success;
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (argument !== undefined) {
    const one = new Argument(isOptional ? `[${argument}]` : `<${argument}>`, description);
    command.addArgument(inner instanceof z.ZodEnum ? one.choices(inner.options as string[]) : one);
    return (_, args) => [field, args.shift()];
  }
  if (ends !== undefined) {
    for (const [end, text] of Object.entries(ends)) command.option(`--${end}`, text);
    return (options) => [field, theOne(Object.keys(ends), options)];
  }
  const flag = nameOf(field);
  if (inner instanceof z.ZodBoolean) command.option(flag, description);
  else {
    const values = inner instanceof z.ZodArray ? `<${value}...>` : `<${value}>`;
    const option = new Option(`${flag} ${values}`, description);
    if (inner instanceof z.ZodEnum) option.choices(inner.options as string[]);
    if (inner instanceof z.ZodNumber) option.argParser(runDuration);
    command.addOption(option.makeOptionMandatory(!isOptional && field !== "reason"));
  }
  return (options) => [field, options[camel(flag)]];
}

function theOne(ends: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const [end, ...more] = ends.filter((one) => options[camel(`--${one}`)] === true);
  if (end !== undefined && more.length === 0) return end;
  throw usageFailure(`one of ${ends.map((one) => `--${one}`).join(", ")} is needed`);
}

/** `confirmWithinMs` is --confirm-within. */
function nameOf(field: string): string {
  return `--${field.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function camel(flag: string): string {
  return flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The ways as a table, the one that it begins with marked. */
function showConversion(terminal: Terminal, shown: unknown): void {
  const { from, to, amount, isBuy, currency, by, costBpsMax, ways, closed, warnings } = shown as ShownConversion;
  const what = isBuy ? `${from} to ${amountText(amount)} ${to}` : `${amountText(amount)} ${from} to ${to}`;
  terminal.table(
    columns(`  ${what}`, ">steps", `>cost ${currency}`, ">bp", ">tied up", ">until", ">left"),
    ways.map((way) => [
      `${way.isChosen ? ">" : " "} ${way.routes.join(" and ")}`,
      String(way.steps),
      amountText(way.cost),
      way.bps.toFixed(1),
      amountText(way.tiedUp),
      way.arrivesMs < 1_000 ? "at once" : `in ${durationText(way.arrivesMs)}`,
      amountText(way.missing),
    ]),
  );
  if (!ways.some(({ isChosen }) => isChosen)) terminal.print("none of these can begin now: it waits until one can");
  terminal.print(`no step costs more than ${costBpsMax} bp (--max-cost-bps); it ends by ${utcText(millis(by))}`);
  for (const { name, reason } of closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
  for (const warning of warnings) terminal.print(`warning: ${warning}`);
}
