// What a mint's coins are told with, when the balances are asked whether they have come.

import { expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import type { Held } from "../../src/execution/kept/held.ts";
import { moversOf } from "../../src/execution/movers.ts";
import { aMint, Life, NONCE } from "./life.ts";

test("a mint's coins are on their way, and have come by its list when that calls them settled", () => {
  const coming = (status: string): readonly (boolean | undefined)[] => {
    const record = { requestId: "r1", transactionId: undefined, status, spent: undefined, fee: undefined };
    const mint = new Life(aMint).send();
    mint.outcome({ kind: "accepted", value: record, nonce: NONCE, receivedAt: millis(0) });
    const movers = moversOf([mint.submission as Held], 0, mint.now, 120_000);
    const isOfCoins = movers.filter(({ movements }) => movements.some(({ least }) => least.asset === "VCHF"));
    return isOfCoins.map(({ isSettled }) => isSettled);
  };
  expect([coming("pending"), coming("settled")]).toEqual([[false], [true]]);
});
