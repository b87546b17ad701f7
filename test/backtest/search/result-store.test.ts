import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ResultStore } from "../../../backtest/search/result-store.ts";
import { trialDigest } from "../../../backtest/search/trial.ts";
import type { TrialResult } from "../../../backtest/search/trial-result.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { trialOf } from "./stage.ts";

const SPECIFICATION = { objective: "profit", seed: 1 };
const refused = (seed: number, reason: string): TrialResult => ({
  kind: "refused",
  trial: trialDigest(trialOf({ seed })),
  reason,
});

it("keeps results under their trial, for who opens it again and for who has it open at the same time", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const one = unwrap(ResultStore.open(path, SPECIFICATION));
  const other = unwrap(ResultStore.open(path, { seed: 1, objective: "profit" }));
  const result = refused(1, "why");
  one.put(result, trialOf());
  one.put(structuredClone(result), trialOf());
  expect(other.get(result.trial)).toEqual(result);
  one.close();
  other.close();
  const again = unwrap(ResultStore.open(path, SPECIFICATION));
  expect(again.get(result.trial)).toEqual(result);
  expect(again.get(refused(2, "").trial)).toBeUndefined();
  again.close();
});

it("has a column for each searched parameter, next to the run's seed and time", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const axis = (target: string, name: string) => ({ target, name, choice: { kind: "list", values: [1] } });
  const axes = [axis("param", "edgeBps"), axis("param", "seed"), axis("market", "pairs.VCHF/CHF.depth")];
  const store = unwrap(ResultStore.open(path, { "parameters searched": axes }));
  const trial = trialOf({ params: { edgeBps: 2.5, seed: [1] } });
  store.put(refused(1, "why"), trial);
  store.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database
    .prepare('SELECT seed, from_ms, "edgeBps", "seed_", "pairs.VCHF/CHF.depth" AS depth FROM result')
    .get();
  database.close();
  const { seed, from, market } = trial;
  expect({ ...row }).toEqual({
    seed,
    from_ms: from,
    edgeBps: 2.5,
    seed_: "[1]",
    depth: market.pairs["VCHF/CHF"]?.depth,
  });
});

it("refuses another specification and says what differs; what is in it stays", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const store = unwrap(ResultStore.open(path, SPECIFICATION));
  store.put(refused(1, "why"), trialOf());
  store.close();
  expect(ResultStore.open(path, { objective: "sharpe", seed: 1, search: "grid" })).toEqual({
    ok: false,
    error: `${path} has the results of another specification: objective, search differ`,
  });
  expect(ResultStore.open(path, { objective: "sharpe", seed: 1 })).toMatchObject({
    error: expect.stringMatching(/: objective differs$/),
  });
  // One that says less is another one too.
  expect(ResultStore.open(path, { seed: 1 })).toMatchObject({
    error: expect.stringMatching(/: objective differs$/),
  });
  unwrap(ResultStore.open(path, SPECIFICATION)).close();
  const raw = new DatabaseSync(path);
  raw.exec("PRAGMA user_version = 9");
  raw.close();
  expect(ResultStore.open(path, SPECIFICATION)).toEqual({
    ok: false,
    error: `${path} has results of version 9, this pegbot knows 2`,
  });
});

it("of two searches that begin at once in one file only the first has it, also before its first result", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const one = unwrap(ResultStore.open(path, SPECIFICATION));
  expect(ResultStore.open(path, { ...SPECIFICATION, seed: 2 })).toMatchObject({
    error: expect.stringMatching(/: seed differs$/),
  });
  const same = unwrap(ResultStore.open(path, SPECIFICATION));
  same.put(refused(3, "why"), trialOf());
  expect(one.get(refused(3, "why").trial)).toEqual(refused(3, "why"));
  for (const store of [one, same]) store.close();
});
