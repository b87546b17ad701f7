// The flags that describe a data file, for every command that reads one.

import { type Command, InvalidArgumentError, Option } from "commander";
import { TIME_UNITS } from "../../../backtest/data/format/format.ts";
import { OPEN_END, ROW_PROBLEMS, type RowProblem } from "../../../backtest/data/problem.ts";
import { parseZone } from "../../../backtest/data/zone.ts";
import { parseSymbol } from "../../domain/asset.ts";
import { duration, parsed } from "./values.ts";

export function declareData(command: Command): Command {
  return command
    .option("--pair <symbol>", "the pair, for example GBP/CHF", parsed(parseSymbol))
    .option("--zone <zone>", "of times without one: UTC, UTC-5, Europe/Zurich", parsed(parseZone))
    .addOption(new Option("--time-unit <unit>", "of times that are numbers").choices(Object.keys(TIME_UNITS)))
    .option("--delimiter <character>", "between fields; otherwise as in the header", oneCharacter)
    .option("--decimal-comma", "1,25 is one and a quarter")
    .option("--price-per <n>", "prices in the file are divided by this", above(0))
    .option("--size-times <n>", "sizes in the file are multiplied by this", above(0))
    .option("--half-spread-bps <n>", "where there is one price: bid and ask so far from it", zeroOrMore)
    .option("--interval <time>", "length of bars, for example 1m; otherwise the smallest step", duration)
    .option("--jump-max <n>", "how many times larger or smaller a price may be than the one before (2)", above(1))
    .option(
      "--tolerate <kinds>",
      `leave such rows out (of ${OPEN_END} it is kept): ${ROW_PROBLEMS.join(", ")}`,
      rowProblems,
    )
    .option("--entry <name>", "the file to take from a zip archive");
}

function oneCharacter(text: string): string {
  const character = text === "\\t" || text === "tab" ? "\t" : text;
  if (!/^[\x20-\x7e\t]$/.test(character) || /[0-9."+-]/.test(character))
    throw new InvalidArgumentError(`must be one character such as ; or tab, was ${text.slice(0, 40)}`);
  return character;
}

function above(limit: number): (text: string) => number {
  return (text) => {
    const value = decimal(text);
    if (!(value > limit)) throw new InvalidArgumentError(`must be a number above ${limit}, was ${text.slice(0, 40)}`);
    return value;
  };
}

function zeroOrMore(text: string): number {
  const value = decimal(text);
  if (!(value >= 0)) throw new InvalidArgumentError(`must be a number from 0, was ${text.slice(0, 40)}`);
  return value;
}

function decimal(text: string): number {
  return /^[0-9]{1,12}(?:\.[0-9]{1,12})?$/.test(text) ? Number(text) : Number.NaN;
}

function rowProblems(text: string): RowProblem[] {
  const kinds = text.split(",");
  const unknown = kinds.find((kind) => !(ROW_PROBLEMS as readonly string[]).includes(kind));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`must be some of ${ROW_PROBLEMS.join(", ")}, was ${unknown.slice(0, 40)}`);
  return kinds as RowProblem[];
}
