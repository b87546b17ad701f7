// What a bot really did, as the record of a run, from its journal. A journal has no bare quotes and no reads: prices are those
// that decisions rested on, equity is sampled at decisions and reports, and requests are not counted.

import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { namesIn, symbolOf } from "./journal-names.ts";
import { JournalPrices } from "./journal-prices.ts";
import type { RunRecord, RunSettings, Settlement } from "./run-record.ts";
import { RunRecorder } from "./run-recorder.ts";
import { StepReader } from "./step-reader.ts";

export type JournalSettings = Omit<RunSettings, "source" | "traceHash" | "seed"> & {
  /** What a unit is issued and redeemed at, for each coin against its own fiat. */
  readonly pars: ReadonlyMap<PairSymbol, number>;
};

/**
 * `steps` gives the steps of the journal from its beginning, oldest first, and is called twice; only what lies in the
 * settings' time is recorded.
 */
export function fromJournal(steps: () => Iterable<Step>, { pars, ...settings }: JournalSettings): RunRecord {
  const { from, to, currency } = settings;
  const { assets, symbols } = namesIn(steps(), currency);
  const recorder = new RunRecorder(
    assets,
    symbols.map((symbol) => ({ symbol, ...parOf(pars.get(symbol)) })),
  );
  const prices = new JournalPrices(currency);
  const reader = new StepReader({ recorder, assets, from, rateOf: (asset) => prices.rateOf(asset) });
  let last: Millis = from;
  for (const step of steps()) {
    if (step.at >= to) break;
    // As the reader does: a record never goes back, though the clocks of two writers may.
    last = millis(Math.max(last, step.at));
    for (const decision of step.decisions) {
      const symbol = symbolOf(decision);
      if (symbol === undefined) continue;
      prices.learn(symbol, decision.basis);
      const { bid, ask, fair } = decision.basis;
      if (step.at >= from && bid !== undefined && ask !== undefined) recorder.price(symbol, last, bid, ask, fair);
    }
    reader.step(step);
    reader.sample(step.at);
  }
  const source = { source: "journal", traceHash: undefined, seed: undefined } as const;
  return reader.finish({
    settings: { ...settings, ...source },
    slots: undefined,
    settlements: settlementsOf(reader.settlements),
  });
}

function parOf(par: number | undefined): { par?: number } {
  return par === undefined ? {} : { par };
}

/** A journal does not say whether there was a treasury: where nothing was moved, nobody can tell. */
function settlementsOf(settlements: readonly Settlement[]): RunRecord["settlements"] {
  return settlements.length === 0 ? undefined : settlements;
}
