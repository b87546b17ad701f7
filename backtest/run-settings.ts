// How a backtest names itself in its record.

import type { Asset } from "../src/domain/asset.ts";
import { assumptionsOf } from "./assumption.ts";
import type { BacktestOptions } from "./options.ts";
import type { RunSettings } from "./record/run-record.ts";

export function settingsOf(options: BacktestOptions): Omit<RunSettings, "traceHash"> {
  const { strategy, limits, seed, from, to, recordings, codeVersion } = options;
  const files = recordings.map(
    ({ name, role, digest, source }) =>
      `${name} (${source.symbol}, ${source.rows} rows, sha256 ${digest.slice(0, 12)}) as ${role}`,
  );
  const synthetic = "synthetic market: coins return to par by construction";
  return {
    title: `${strategy.name} on ${recordings.length === 0 ? "a synthetic market" : recordings.map(({ name }) => name).join(", ")}`,
    source: "backtest",
    strategy: strategy.name,
    params: (strategy.params ?? {}) as Readonly<Record<string, unknown>>,
    data: files.length === 0 ? synthetic : `${files.join("; ")}; all else from the ${synthetic}`,
    seed,
    codeVersion,
    from,
    to,
    currency: limits.currency as Asset,
    riskFreeRate: 0,
    assumptions: assumptionsOf(options),
  };
}
