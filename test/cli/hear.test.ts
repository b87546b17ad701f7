// What a command hears of payments goes into the books by prices that were read for it.

import { expect, test } from "vitest";
import { hear } from "../../src/app/money-command/market.ts";
import type { MoneyCommand } from "../../src/app/money-command/money-command.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Answer } from "../../src/execution/effects.ts";

const [CHF, VGBP] = ["CHF", "VGBP"] as Asset[] as [Asset, Asset];

/** What is done, in order: `rated` says after how many moments the coin has a rate. */
async function doneWith(railId: string | undefined, amount: Money | undefined, rated: number): Promise<string[]> {
  const done: string[] = [];
  let moments = 0;
  const tool = {
    config: configSchema.parse({ mode: "live", venue: { baseUrl: "https://venue.test/api/v1/" } }),
    clock: { now: () => millis(0) },
    exchange: {
      quotes: () => {
        done.push("quotes");
        return Promise.resolve({ kind: "failed", failure: { code: "unavailable", message: "" } });
      },
    },
    tradingCore: {
      executor: { treasury: { ownerOf: (_: string, id: string) => (id === "ours" ? {} : undefined) } },
      engine: { books: { pricing: { currency: CHF, rate: () => (moments >= rated ? 1 : undefined) } } },
    },
    timers: {
      after: (_: number, run: () => void) => {
        moments++;
        run();
      },
    },
    take: ({ kind }: { kind: string }) => {
      done.push(kind);
      return Promise.resolve({});
    },
  } as unknown as MoneyCommand;
  const rows = [{ railId, amount }];
  const answer = { witness: "payments", asset: undefined, askedAt: mono(0), receivedAt: millis(0), rows };
  await hear(tool, { kind: "answer", answer: answer as unknown as Answer });
  return [...done, `${moments} moments`];
}

test("a payment on a rail of ours waits for a price of its coin, and not without end", async () => {
  const amount = Money.of("100", VGBP);
  expect(await doneWith("ours", amount, 3)).toEqual(["quotes", "answer", "3 moments"]);
  expect(await doneWith("ours", amount, 1_000)).toEqual(["quotes", "answer", "10 moments"]);
  expect(await doneWith("ours", Money.of("100", CHF), 1_000)).toEqual(["quotes", "answer", "0 moments"]);
});

test("what moves nothing of ours costs no slot", async () => {
  const amount = Money.of("100", VGBP);
  for (const [railId, paid] of [
    ["theirs", amount],
    [undefined, amount],
    ["ours", undefined],
  ] as const)
    expect(await doneWith(railId, paid, 0)).toEqual(["answer", "0 moments"]);
});
