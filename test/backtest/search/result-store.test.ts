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
  one.put(result);
  one.put(structuredClone(result));
  expect(other.get(result.trial)).toEqual(result);
  one.close();
  other.close();
  const again = unwrap(ResultStore.open(path, SPECIFICATION));
  expect(again.get(result.trial)).toEqual(result);
  expect(again.get(refused(2, "").trial)).toBeUndefined();
  again.close();
});

it("refuses another specification and says what differs; what is in it stays", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const store = unwrap(ResultStore.open(path, SPECIFICATION));
  store.put(refused(1, "why"));
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
  raw.exec("PRAGMA user_version = 2");
  raw.close();
  expect(ResultStore.open(path, SPECIFICATION)).toEqual({
    ok: false,
    error: `${path} has results of version 2, this pegbot knows 1`,
  });
});

it("of two searches that begin at once in one file only the first has it, also before its first result", () => {
  const path = join(temporaryFolder(), "sweep.db");
  const one = unwrap(ResultStore.open(path, SPECIFICATION));
  expect(ResultStore.open(path, { ...SPECIFICATION, seed: 2 })).toMatchObject({
    error: expect.stringMatching(/: seed differs$/),
  });
  const same = unwrap(ResultStore.open(path, SPECIFICATION));
  same.put(refused(3, "why"));
  expect(one.get(refused(3, "why").trial)).toEqual(refused(3, "why"));
  for (const store of [one, same]) store.close();
});
