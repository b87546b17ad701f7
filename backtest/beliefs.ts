// Whether references of a run that were recorded are believed: looked at with every request, because that is when the bot acts
// on prices. A run whose data count for nothing shall say so.

import type { Engine } from "../src/bot/engine/engine.ts";
import type { NoFair } from "../src/domain/fair.ts";
import type { Belief } from "./record/run-record.ts";
import type { Recording } from "./recording.ts";

type Count = { -readonly [K in keyof Omit<Belief, "doubts">]: Belief[K] } & { readonly doubts: Map<NoFair, number> };

export class Beliefs {
  readonly #counts: readonly Count[];

  constructor(recordings: readonly Pick<Recording, "name" | "role" | "source">[], ageMsMax: number) {
    this.#counts = recordings
      .filter(({ role }) => role === "reference")
      .map(({ name, source }) => ({ name, symbol: source.symbol, ageMsMax, looks: 0, believed: 0, doubts: new Map() }));
  }

  look(engine: Pick<Engine, "doubtOf">): void {
    for (const count of this.#counts) {
      const doubt = engine.doubtOf(count.name, count.symbol);
      count.looks++;
      if (doubt === undefined) count.believed++;
      else count.doubts.set(doubt, (count.doubts.get(doubt) ?? 0) + 1);
    }
  }

  finish(): readonly Belief[] {
    return this.#counts.map(({ doubts, ...count }) => ({ ...count, doubts: Object.fromEntries(doubts) }));
  }
}

// What several runs on the same recordings believed of each, as if they were one.

export function addedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  const sums = new Map<string, Belief>();
  for (const one of beliefs) {
    const before = sums.get(one.name);
    sums.set(one.name, before === undefined ? one : sumOf(before, one));
  }
  return [...sums.values()];
}

function sumOf(one: Belief, other: Belief): Belief {
  const doubts = { ...one.doubts };
  for (const [doubt, count] of Object.entries(other.doubts) as [NoFair, number][])
    doubts[doubt] = (doubts[doubt] ?? 0) + count;
  return { ...one, looks: one.looks + other.looks, believed: one.believed + other.believed, doubts };
}
