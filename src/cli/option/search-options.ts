// What a person says about a search over parameters, for every command that makes one: which sets are run, what is looked for,
// and on whose cores.

import { type Command, Option } from "commander";
import { OBJECTIVES, SEARCHES } from "../../../backtest/search/search-terms.ts";
import { wholeNumber } from "./whole-number.ts";

const RUNS_MAX = 100_000;
const WORKERS_MAX = 256;

export function declareSearch(command: Command): Command {
  return command
    .addOption(new Option("--search <how>", "which parameter sets are run").choices(SEARCHES).default("grid"))
    .option("--runs <n>", "parameter sets of a random search or of halving (100)", wholeNumber(1, RUNS_MAX))
    .option("--skip-refused", "leave out parameter sets that strategy or market refuses, and say which")
    .addOption(
      new Option("--objective <figure>", "what is looked for").choices(OBJECTIVES).default("sharpe-over-holding"),
    );
}

export function declareRunners(command: Command): Command {
  return command
    .option("--workers <n>", "processes; otherwise one for each core", wholeNumber(1, WORKERS_MAX))
    .option("--queue <address>", "run them on the workers of a queue: redis://host:6379, or rediss:// with TLS")
    .option("--insecure-queue <host>", "the host of a queue that may go without TLS and password");
}
