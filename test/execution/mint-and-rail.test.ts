import { expect, test } from "vitest";
import type { MintRecord } from "../../src/domain/mint.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { receiptDifference } from "../../src/execution/receipt.ts";
import { ABSENT, aMint, CHF, Life, NONCE } from "./life.ts";

const MINT: MintRecord = {
  requestId: "r1",
  transactionId: undefined,
  fee: undefined,
  spent: Money.of("120000.37", CHF),
};

test("a mint is never given up by itself, however often nothing is found, and its way out names its own answers", () => {
  const life = new Life(aMint).doubt().answered();
  life.terms = { ...life.terms, releaseMax: Money.of("1000000", CHF) };
  for (let minute = 0; minute < 15; minute++) life.look(minute * 60, ABSENT);
  expect(life.state).toMatchObject({ kind: "fenced" });
  life.at(900);
  expect(life.effects).toMatchObject([
    { kind: "escalate", wayOut: `pegbot resolve ${aMint.id} --landed|--not-landed --reason "..."` },
  ]);
});

test("a rate-limited mint needs a person as well", () => {
  expect(new Life(aMint).doubt("rate-limited").answered().look(0, ABSENT).state.kind).toBe("fenced");
});

test("a mint in doubt is looked for every minute, then every 5 minutes, then every 15, for seven days", () => {
  const life = new Life(aMint).doubt().answered();
  const asked: number[] = [];
  for (let seconds = 0; seconds < 8 * 86_400; seconds += 30) {
    life.at(seconds);
    for (const effect of life.effects) {
      if (effect.kind !== "ask") continue;
      expect(effect.witnesses).toEqual(["supply-changes", "balances"]);
      asked.push(seconds / 60);
      life.hear(ABSENT);
    }
  }
  expect(asked.slice(0, 14)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15.5, 20.5, 25.5]);
  expect(asked.at(-1)).toBeGreaterThan(7 * 1_440 - 15);
  expect(asked.at(-1)).toBeLessThanOrEqual(7 * 1_440 + 15);
});

test("a mint that is found in the list is adopted once, and a later record with its amounts is the same mint", () => {
  const found: MintRecord = { ...MINT, spent: undefined };
  const life = new Life(aMint).doubt().answered().hear({ kind: "landed", receipt: found });
  expect(life.effects).toEqual([{ kind: "book", receipt: found }]);
  expect(life.hear({ kind: "landed", receipt: MINT }).effects).toEqual([]);
  expect(life.hear({ kind: "landed", receipt: { ...found, requestId: "r2" } }).todo).toEqual(["halt"]);
});

test("a mint is confirmed by a record that has its request id and, where shown, its amounts", () => {
  const answered = () =>
    new Life(aMint).send().outcome({ kind: "accepted", value: MINT, nonce: NONCE, receivedAt: millis(0) });
  expect(answered().hear({ kind: "landed", receipt: { ...MINT, spent: undefined } }).todo).toEqual(["confirm"]);
  const other = { ...MINT, spent: Money.of("120000.38", CHF) };
  expect(answered().hear({ kind: "landed", receipt: other }).effects).toMatchObject([
    { kind: "halt", reason: expect.stringContaining("known is 120000.37 CHF; seen is 120000.38 CHF") },
  ]);
});

test("a rail is known by its id, whatever its status has become", () => {
  const rail = { railId: "a", status: "pending", reason: undefined };
  expect(receiptDifference("rail", rail, { ...rail, status: "held" })).toBeUndefined();
  expect(receiptDifference("rail", rail, { ...rail, railId: "b" })).toBe("known is rail a; seen is rail b");
});
