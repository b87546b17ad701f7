import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { at, CHF, createStage, KEY, refusalOf, VCHF_CHF, value } from "./stage.ts";

describe("at the portal", () => {
  test("a new key has zero of every listed asset", () => {
    const { venue } = createStage();
    venue.registerKey("key-of-a-newcomer");
    venue.clearKyb("key-of-a-newcomer", true);
    const rows = value(venue.balances("key-of-a-newcomer", at(0)));
    expect(rows.map(({ asset, available, pending }) => `${asset} ${available} ${pending}`)).toEqual([
      "VCHF 0 0",
      "VGBP 0 0",
      "USDC 0 0",
      "BTC 0 0",
      "ETH 0 0",
      "CHF 0 0",
      "GBP 0 0",
    ]);
  });

  test("a wire is credited to a known key in a listed asset", () => {
    const { venue } = createStage();
    expect(refusalOf(venue.credit(KEY, CHF, Quantity.of("1"), at(0)))).toBe("ok");
    expect(refusalOf(venue.credit(KEY, CHF, Quantity.of("1000000000000"), at(0)))).toBe("ok");
    expect(refusalOf(venue.credit(KEY, CHF, Quantity.of("1000000000000.01"), at(0)))).toBe("400 bad_request");
    expect(refusalOf(venue.credit("key-of-nobody", CHF, Quantity.of("1"), at(0)))).toBe("401 signature_failure");
    expect(refusalOf(venue.credit(KEY, "XYZ" as Asset, Quantity.of("1"), at(0)))).toBe("400 unknown_asset");
  });

  test("VCHF is on 6 chains, VGBP on 4, and an address is whitelisted only where its asset lives", () => {
    const { venue } = createStage();
    const chains = (asset: string) => venue.assets().find((one) => one.asset === asset)?.blockchains ?? [];
    expect([chains("VCHF").length, chains("VGBP").length]).toEqual([6, 4]);
    const row = {
      asset: "VGBP" as Asset,
      address: "0xaa",
      label: "a",
      status: "Confirmed",
      travelRule: undefined,
    } as const;
    expect(refusalOf(venue.whitelist(KEY, { ...row, blockchain: "POLYGON" }))).toBe("400 bad_request");
    expect(refusalOf(venue.whitelist(KEY, { ...row, blockchain: "CELO" }))).toBe("ok");
  });

  test("a deposit address is the same every time, and another for each key, asset and chain", () => {
    const { venue } = createStage();
    venue.registerKey("key-of-a-newcomer");
    venue.clearKyb("key-of-a-newcomer", true);
    const of = (key: string, asset: string, blockchain: string) =>
      value(venue.depositAddress(key, { asset, blockchain }));
    const all = [
      of(KEY, "VCHF", "ETH"),
      of(KEY, "VCHF", "BASE"),
      of(KEY, "USDC", "ETH"),
      of("key-of-a-newcomer", "VCHF", "ETH"),
    ];
    expect(new Set(all).size).toBe(4);
    expect(of(KEY, "VCHF", "ETH")).toBe(all[0]);
    expect(refusalOf(venue.depositAddress(KEY, { asset: "XYZ", blockchain: "ETH" }))).toBe("400 unknown_asset");
    expect(refusalOf(venue.depositAddress(KEY, { asset: "VCHF", blockchain: "BTC" }))).toBe("400 bad_request");
  });

  test("a pair takes new terms, but none that no exact amount could follow", () => {
    const { venue } = createStage();
    expect(refusalOf(venue.setPair(VCHF_CHF, { quantityDecimals: 12 }))).toBe("ok");
    for (const change of [
      { quantityDecimals: 13 },
      { priceDecimals: -1 },
      { feeBps: 10_000 },
      { feeBps: Number.NaN },
      { feeBps: 0.005 },
    ])
      expect(refusalOf(venue.setPair(VCHF_CHF, change))).toBe("400 bad_request");
    expect(refusalOf(venue.setPair(VCHF_CHF, { quantityMin: Quantity.zero }))).toBe("400 bad_request");
  });
});
