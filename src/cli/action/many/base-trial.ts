// The run that many runs are variations of, from the flags of a command: as a trial, with the files that it names.

import type { BacktestOptions } from "../../../../backtest/options.ts";
import { limitsText, plainPriceRules, type StrategyUse, type Trial } from "../../../../backtest/search/trial.ts";
import {
  bundleOf,
  type HashedColumns,
  hashedColumns,
  packagesOf,
  reachedFrom,
  type StrategyBundle,
  type TrialFiles,
} from "../../../../backtest/search/trial-files.ts";
import { invariant } from "../../../domain/invariant.ts";
import { isBuiltIn } from "../../../strategy/built-in-names.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { openRecordings } from "../backtest/open-recordings.ts";
import { configOf, type PlanFlags, planOf, strategyNamed } from "../backtest/plan.ts";

export type BaseTrial = {
  readonly trial: Trial;
  /** The same as a backtest, with the strategy prepared. */
  readonly options: BacktestOptions;
  readonly ground: TrialFiles;
  /** Where the strategy is a file. */
  readonly bundle: StrategyBundle | undefined;
};

export async function baseTrial(shell: Shell, flags: PlanFlags): Promise<BaseTrial> {
  const recordings = await openRecordings(shell, flags, "whole");
  const options = await planOf(shell, flags, recordings, undefined);
  if (options.rebalancer !== undefined)
    throw new CommandFailure(
      exitCode.usage,
      "the configuration has treasury targets, which many runs do not keep",
      "leave the section treasury out of the file that --config names",
    );
  const config = await configOf(shell);
  const named = strategyNamed(flags, config);
  const bundle = isBuiltIn(named.use) ? undefined : orFail(bundleOf(named.use));
  const columns = recordings.map(({ source }) => hashedColumns(source));
  requireCarried(options);
  const { seed, from, to, funds, market, references, terms, limits, par, codeVersion } = options;
  const trial: Trial = {
    strategy: bundle === undefined ? { kind: "built-in", name: named.use } : fileUse(named.use, bundle),
    params: named.params as Trial["params"],
    data: recordings.map(({ name, role, halfSpreadBps }, i) => ({
      digest: (columns[i] as HashedColumns).digest,
      ...{ name, role, halfSpreadBps },
    })),
    ...{ seed, from, to, funds, market, references, terms },
    limits: limitsText(limits),
    ...(options.traded === undefined ? {} : { traded: options.traded }),
    par: Object.fromEntries([...par].map(([symbol, { bandBps }]) => [symbol, bandBps])),
    ...(options.prices === undefined ? {} : { prices: plainPriceRules(options.prices, config.market.holidays) }),
    protocol: config.protocol ?? {},
  };
  const strategies = bundle === undefined ? [] : [{ digest: bundle.digest, path: named.use }];
  return { trial, options, bundle, ground: { columns, strategies, codeVersion } };
}

function fileUse(path: string, { digest }: StrategyBundle): StrategyUse {
  const packages = packagesOf(orFail(reachedFrom(path)));
  return { kind: "file", digest, ...(packages.length === 0 ? {} : { packages }) };
}

const CARRIED: ReadonlySet<string> = new Set<keyof BacktestOptions>([
  ...(["strategy", "limits", "traded", "par", "prices", "protocol", "funds", "seed", "from", "to"] as const),
  ...(["market", "references", "recordings", "terms", "codeVersion"] as const),
]);

/** What a trial does not have would be left out of many runs without a word. */
function requireCarried(options: BacktestOptions): void {
  const lost = Object.keys(options).filter((name) => !CARRIED.has(name));
  invariant(lost.length === 0, `a trial must have all that a backtest is given, had no ${lost.join(", ")}`);
}
