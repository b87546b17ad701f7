// Loads the strategy files it is told, as a bot would, and says in a line of JSON each what became of them. With `drive` the
// loaded strategy is put on the bench and given quotes of VCHF/CHF, each an ask.

import { loadStrategyFile } from "../../../src/strategy/load-file.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

type Order = { path: string; params?: unknown; drive?: number[] };

for (const text of process.argv.slice(2)) {
  const { path, params, drive } = JSON.parse(text) as Order;
  const loaded = await loadStrategyFile(path, params);
  const lines: string[] = [];
  if (loaded.ok && drive !== undefined) {
    const balances = { CHF: "10000", VCHF: "10000" };
    const bench = strategyBench(loaded.value.definition, { symbols: ["VCHF/CHF"], balances });
    for (const ask of drive) bench.quote("VCHF/CHF", ask - 0.0002, ask);
    lines.push(...bench.lines());
  }
  process.stdout.write(
    `${JSON.stringify(loaded.ok ? { name: loaded.value.name, params: loaded.value.params, lines } : { error: loaded.error })}\n`,
  );
}
