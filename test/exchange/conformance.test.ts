// Every value of every switch of the profile, one test each: the real client against the simulator speaking that way.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { paying, reading, VCHF } from "../support/wire.ts";
import { confirm, orderOf, readFrom, type Stage, trade, VALUES, venueSpeaking } from "./conformance.ts";

const BTC = "BTC" as Asset;

async function quotesOf({ spoken, speaking }: Stage): Promise<void> {
  const got = await speaking(spoken).quotes(reading);
  if (spoken.quotes === "absent") expect(got).toMatchObject({ kind: "failed", failure: { code: "not-available" } });
  else expect(readFrom(got).length).toBeGreaterThan(3);
}

/** What only one value changes. */
const ALSO: { readonly [S in keyof Profile]?: (stage: Stage) => Promise<void> } = {
  quotes: quotesOf,
  async mintMinimum({ spoken, speaking }) {
    const small = { asset: VCHF, blockchain: "ETH", quantity: Quantity.of("5") };
    const got = await speaking(spoken).mintTokens(small, paying());
    expect(got.kind).toBe(spoken.mintMinimum === "waived" ? "accepted" : "rejected");
  },
  async mintFunding({ spoken, speaking }) {
    const funded = { asset: VCHF, blockchain: "ETH", quantity: Quantity.of("150001"), spentMax: Money.of("3", BTC) };
    const got = await speaking(spoken).mintTokens(funded, paying());
    const paidBy = spoken.mintFunding === "none" ? "CHF" : "BTC";
    expect(got).toMatchObject({ kind: "accepted", value: { spent: { asset: paidBy } } });
  },
  async refusals({ spoken, speaking }) {
    const got = await speaking(spoken).addOrder(orderOf("buy", "T-abcdefgh-1"), paying());
    expect(got.kind).toBe(spoken.refusals.length > 0 ? "rejected" : "doubt");
  },
};

const SETTINGS = { duplicateClientOrderId: "refuse" } as const;

describe.concurrent.each(Object.keys(VALUES) as (keyof Profile)[])("%s", (name) => {
  test.each(VALUES[name].map((value) => ({ value })))("$value", async ({ value }) => {
    const spoken: Profile = { ...presets.contract, [name]: value };
    const stage = await venueSpeaking(spoken, name === "feeMissing" ? 0 : 10, name === "refusals" ? SETTINGS : {});
    try {
      const client = stage.speaking(spoken);
      await confirm(client, await trade(client));
      await ALSO[name]?.(stage);
    } finally {
      await stage.close();
    }
  });
});

test.each([
  ["feeMissing", { feeMissing: "zero" }, 0],
  ["feeCurrencyMissing", { feeCurrencyMissing: "quote" }, 10],
] as const)("trades that leave the fee open name %s", async (name, change, feeBps) => {
  const stage = await venueSpeaking({ ...presets.contract, ...change }, feeBps);
  try {
    const client = stage.speaking(presets.contract);
    await trade(client);
    const got = await client.trades(reading);
    if (got.kind !== "read") expect.unreachable(JSON.stringify(got));
    expect([got.value, got.problems?.[0]?.problem]).toEqual([[], expect.stringContaining(`venue.profile.${name}`)]);
  } finally {
    await stage.close();
  }
});
