// What a person says on the command line about the runs of a backtest, for every command that makes some: parameters, data,
// time, market and terms. The strategy itself is named by each command in its own way.

import { type Command, InvalidArgumentError, Option } from "commander";
import { backtestTerms, ROLES } from "../../../backtest/terms.ts";
import { SLOT_POLICIES } from "../../exchange/budget/scheduler.ts";
import { declareData, duration } from "./data-options.ts";
import { moment } from "./moment.ts";
import { wholeNumber } from "./whole-number.ts";

const DAYS_MAX = 3_660;
const SEED_MAX = 2 ** 31 - 1;
const FIRST_SEED = 1;

export function declarePlan(command: Command): Command {
  command
    .option("--param <name=value>", "a parameter of the strategy; may be repeated", collected, [])
    .option("--data <path>", "synthetic, or a data file or folder of them", "synthetic")
    .addOption(new Option("--as <role>", "the data are the venue's prices, or a free reference feed").choices(ROLES))
    .option("--synthetic-too", "trade pairs without data as well, on synthetic prices")
    .option(
      "--from <time>",
      "begin: 2026-01-31 or 2026-01-31T12:00 (both UTC), or with an offset, 2026-01-31T14:00+02:00; otherwise 2026-01-01 or the data's",
      moment,
    )
    .option("--to <time>", "end, as --from", moment)
    .option("--days <n>", "how long, instead of --to", wholeNumber(1, DAYS_MAX, "--to ends at any moment"))
    .option("--seed <n>", "of the synthetic market and the network", wholeNumber(0, SEED_MAX), FIRST_SEED)
    .option("--funds <list>", "what the account has: CHF=100000,VCHF=100000")
    .option("--limit <name=value>", "one limit on top of those in force; may be repeated", collected, [])
    .option("--market <name=value>", "a parameter of the synthetic market; may be repeated", collected, [])
    .option("--no-edge", "a synthetic market with nothing to earn")
    .option("--weekends", "synthetic currency markets close from Friday to Sunday")
    .option("--latency <time>", "to the venue, one way, in the median", duration, backtestTerms.latencyMs)
    .option("--decision <time>", "from a decision to when its order may have a slot; none otherwise", duration, 0)
    .option("--pace <time>", "from an answer to the next request", duration, backtestTerms.paceMs)
    .option("--quotes-every <time>", "the venue's quotes at most so often; 30s for more than two days", duration)
    .addOption(
      new Option("--slots <policy>", "what decides who gets a slot; others than worth are for comparison")
        .choices(SLOT_POLICIES)
        .default(backtestTerms.slotPolicy),
    )
    .option("--fee-bps <n>", "what the venue keeps of a trade", fee, backtestTerms.feeBps)
    .option("--publication <time>", "trades are listed at most so late; otherwise at once", duration, 0)
    .option("--no-cache", "read data files anew and keep nothing");
  return declareData(command);
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

/** As a pair's listing takes it. */
function fee(text: string): number {
  const value = /^[0-9]{1,3}(?:\.[0-9]{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100))
    throw new InvalidArgumentError(`must be a number from 0 to 100 with at most 2 decimals, was ${text.slice(0, 40)}`);
  return value;
}
