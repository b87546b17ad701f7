// What is known before anything is sent, rule by rule.

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Quote } from "../../src/domain/quote.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { mintTermsOf } from "../../src/operation/terms/movement-terms.ts";
import { treasuryTermsOf } from "../../src/operation/terms/treasury-terms.ts";
import { shown } from "../../src/risk/ruling.ts";
import { belowMinimum, checkMint, saltedQuantity, whyNotIssued } from "../../src/treasury/mint.ts";
import { draftRail, type Wallet, whyNotRailed, whyNotWhitelisted } from "../../src/treasury/rail.ts";

const VCHF = "VCHF" as Asset;
const VGBP = "VGBP" as Asset;
const CHF = "CHF" as Asset;
const GBP = "GBP" as Asset;

const ASSETS = [
  {
    asset: VCHF,
    name: undefined,
    blockchains: [
      { blockchain: "ETH", active: true },
      { blockchain: "SOL", active: false },
    ],
  },
];

const quote = (symbol: string, bid: number, ask: number): Quote => ({
  symbol: symbol as PairSymbol,
  bid,
  ask,
  bidSize: undefined,
  askSize: undefined,
  source: "venue",
  at: undefined,
  receivedAt: millis(0),
});

/** 1 VCHF = 1.25 USDC, 1 VGBP = 1.5 USDC: a CHF is 0.8333 GBP. */
const QUOTES = [quote("VCHF/USDC", 1.249, 1.251), quote("VGBP/USDC", 1.499, 1.501), quote("GBP/CHF", 1.2, 1.2)];

describe("a salted quantity", () => {
  property.prop([fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 6 }), fc.integer()])(
    "is below what was approved by at most a 100,000th and less than one unit, on the grid, none that is taken; or refused",
    (units, decimals, seed) => {
      const approved = Quantity.of(String(units));
      const random = createRandom(Math.abs(seed));
      const first = saltedQuantity(approved, [], { decimals, random });
      expect(first.ok).toBe(units * 10 ** decimals >= 100_000);
      if (!first.ok) return;
      const salt = approved.minus(first.value)?.of(CHF);
      expect(salt?.atMost(approved.of(CHF).share(0.1, "down"))).toBe(true);
      expect(first.value.lessThan(approved)).toBe(true);
      expect(first.value.fits(decimals)).toBe(true);
      expect(approved.minus(first.value)?.lessThan(Quantity.of("1"))).toBe(true);
      const second = saltedQuantity(approved, [first.value], { decimals, random });
      expect(second.ok && second.value.equals(first.value)).toBe(false);
    },
  );

  it("is refused when every one is taken", () => {
    const [asked, grid] = [Quantity.of("100000"), { decimals: 1, random: createRandom(1) }];
    const taken = Array.from({ length: 9 }, (_, i) => Quantity.of(`99999.${i + 1}`));
    expect(saltedQuantity(asked, taken, grid)).toEqual({ ok: false, error: expect.stringContaining("--exact") });
    const free = saltedQuantity(asked, taken.slice(1), grid);
    expect(free.ok && String(free.value)).toBe("99999.1");
  });
});

describe("the smallest mint", () => {
  const minimum = Money.of("100000", GBP);

  it("is none where the profile waives it, for a person and for plans", () => {
    const minimums = (profile: object) => {
      const treasury = { planning: { mints: { VCHF: { chain: "ETH" } } } };
      const config = configSchema.parse({ venue: { profile }, treasury });
      return [mintTermsOf(config).minimum, treasuryTermsOf(config).mints[0]?.minimum].map((one) => one && shown(one));
    };
    expect(minimums({})).toEqual(["100,000 GBP", "100,000 GBP"]);
    // Plans keep to what can be salted: a hundredth is one part in 100,000 of 1,000.
    expect(minimums({ mintMinimum: "waived" })).toEqual([undefined, "1,000 CHF"]);
  });

  it("of the coin in whose fiat it is counted is exact", () => {
    expect(belowMinimum(VGBP, Quantity.of("100000"), minimum, [])).toBeUndefined();
    expect(belowMinimum(VGBP, Quantity.of("99999.99"), minimum, [])).toBe(
      "a mint must be worth at least 100000 GBP, was 99999.99",
    );
  });

  it("of another coin goes by par and the rate of the fiats, not by the coin's market; near it the venue decides", () => {
    // 1 CHF is 1 / 1.2 GBP, whatever a coin that is off its peg fetches: 110,000 VCHF are worth 91,666 GBP.
    const quotes = [quote("GBP/CHF", 1.2, 1.2), quote("VCHF/GBP", 0.99, 0.99), quote("VGBP/CHF", 0.9, 0.9)];
    expect(belowMinimum(VCHF, Quantity.of("110000"), minimum, quotes)).toContain("was about 91666");
    expect(belowMinimum(VCHF, Quantity.of("119500"), minimum, quotes)).toBeUndefined();
    expect(belowMinimum(VCHF, Quantity.of("1"), minimum, QUOTES.slice(0, 2))).toBeUndefined();
  });
});

describe("a mint", () => {
  const asked = { asset: VCHF, blockchain: "ETH", quantity: Quantity.of("120000") };
  const money = (available: string) => [{ asset: CHF, available: Money.of(available, CHF), pending: undefined }];
  const terms = { feeBpsMax: 10, minimum: Money.of("100000", GBP) };

  it("costs its face value and the highest fee at most", () => {
    const cost = checkMint(asked, { assets: ASSETS, balances: money("120120"), quotes: QUOTES }, terms);
    // 120000 + 10 bp of it
    expect(cost.ok && [String(cost.value.spentMax), String(cost.value.feeMax)]).toEqual(["120120", "120"]);
    // What is below the last decimal counts as one of it: the most that the fee may be is never less than it is.
    const rounded = checkMint(
      { ...asked, quantity: Quantity.of("120000.000000000000000001") },
      { assets: ASSETS, balances: money("130000"), quotes: QUOTES },
      terms,
    );
    expect(rounded.ok && String(rounded.value.feeMax)).toBe("120.000000000000000001");
  });

  it("is refused for one centime too little, an unknown or sleeping chain, an unlisted coin, and what is no coin", () => {
    const error = (change: object, balances = money("120120")) => {
      const result = checkMint({ ...asked, ...change }, { assets: ASSETS, balances, quotes: QUOTES }, terms);
      return result.ok ? "" : result.error;
    };
    expect(error({}, money("120119.99"))).toContain("may cost 120120 CHF, available are 120119.99 CHF");
    expect(error({ blockchain: "MOON" })).toBe("chain of VCHF must be one of ETH, was MOON");
    expect(error({ blockchain: "SOL" })).toContain("chain SOL of VCHF is not active now");
    expect(error({ asset: VGBP })).toBe("the venue lists no VGBP");
    expect(error({ asset: "USDC" })).toContain("must be a coin");
    expect(error({}, [])).toBe("the venue does not say how much CHF there is");
    const small = { quantity: Quantity.of("110000") };
    expect(error(small)).toContain("a mint must be worth at least 100000 GBP");
    const view = { assets: ASSETS, balances: money("120120"), quotes: QUOTES };
    expect(checkMint({ ...asked, ...small }, view, { ...terms, minimum: undefined }).ok).toBe(true);
  });

  it("may be of any chain where the venue names none", () => {
    expect(whyNotIssued(VCHF, "ETH", [{ asset: VCHF, name: "coin", blockchains: undefined }])).toBeUndefined();
  });
});

describe("a wallet", () => {
  const wallet: Wallet = { kind: "wallet", chain: "ETH", address: "0xAb", label: "ours" };
  const row = { asset: VCHF, blockchain: "ETH", address: "0xAb", label: "ours", status: "Confirmed" };

  it("is the venue's to the letter: coin, chain, address and label, and confirmed under just that label", () => {
    const isGood = (...rows: readonly Partial<typeof row>[]): boolean =>
      whyNotWhitelisted(
        wallet,
        VCHF,
        rows.map((change) => ({ ...row, ...change })),
      ) === undefined;
    expect([isGood({}), isGood({ status: "pending" }, {})]).toEqual([true, true]);
    const others = [
      { asset: VGBP },
      { blockchain: "SOL" },
      { address: "0xab" },
      { label: "Ours" },
      { status: "pending" },
    ];
    expect(others.filter((change) => isGood(change))).toEqual([]);
    expect(isGood({ status: "pending" }, { label: "another" })).toBe(false);
    expect(whyNotWhitelisted(wallet, VCHF, [{ ...row, asset: undefined }])).toBeUndefined();
    expect(whyNotWhitelisted({ ...wallet, label: undefined }, VCHF, [row])).toBeUndefined();
    expect(whyNotWhitelisted(wallet, VCHF, [{ ...row, label: "Ours" }])).toBe(
      "wallet 0xAb on ETH must have the label ours, was Ours",
    );
    expect(whyNotWhitelisted(wallet, VCHF, [{ ...row, status: undefined }])).toContain("was unknown");
  });

  it("is not enough where its coin is not issued on that chain", () => {
    const drafted = draftRail("on", { ...RAIL, chain: "SOL" }, { mine: { ...wallet, chain: "SOL" } });
    if (!drafted.ok) throw new Error(drafted.error);
    expect(whyNotRailed(drafted.value, ASSETS, [{ ...row, blockchain: "SOL" }])).toContain("not active");
    expect(whyNotRailed(drafted.value, [{ asset: VCHF, name: "coin", blockchains: undefined }], [])).toContain(
      "must be whitelisted",
    );
    // Nobody was asked: the venue has the last word. And a bank is on no list of wallets.
    const issued = [{ asset: VCHF, name: "coin", blockchains: undefined }];
    expect(whyNotRailed(drafted.value, issued, undefined)).toBeUndefined();
    const off = draftRail("off", { ...RAIL, to: "bank" }, { bank: { kind: "bank", account: "CH9300762011623852957" } });
    expect(off.ok && whyNotRailed(off.value, issued, [])).toBeUndefined();
  });
});

const RAIL = { asset: "VCHF", chain: "ETH", to: "mine", senderName: "A", senderCountry: "CH" };

describe("a rail", () => {
  const mine: Wallet = { kind: "wallet", chain: "ETH", address: "0xAb", label: undefined };
  const bank = { kind: "bank", account: "CH9300762011623852957" } as const;
  const error = (direction: "on" | "off", change: object): string | undefined => {
    const drafted = draftRail(direction, { ...RAIL, ...change }, { mine, bank });
    return drafted.ok ? undefined : drafted.error;
  };

  it("goes to a wallet of its own chain, or to a bank, and never to the one in place of the other", () => {
    expect([error("on", {}), error("off", { to: "bank" })]).toEqual([undefined, undefined]);
    expect(error("on", { chain: "SOL" })).toBe("wallet mine is on ETH, the rail is for SOL");
    expect(error("on", { to: "bank" })).toBe("destination bank must be a wallet, was a bank");
    expect(error("off", {})).toBe("destination mine must be a bank, was a wallet");
    for (const to of ["constructor", "__proto__", "toString"])
      expect(error("on", { to })).toBe(`destination must stand in treasury.destinations, was ${to}; it has mine`);
    expect(draftRail("on", RAIL, {})).toMatchObject({ error: expect.stringMatching(/was mine; it has none$/) });
  });

  it("is of the coin's own currency, from a named sender in a country, and to a bank without a memo", () => {
    expect(error("on", { currency: "GBP" })).toBe("currency of VCHF must be CHF, was GBP");
    for (const senderCountry of ["ch", "CHE", "C", ""])
      expect(error("on", { senderCountry })).toContain("must be two capital letters");
    for (const senderName of ["  ", undefined])
      expect(error("on", { senderName })).toContain("the sender's name is missing");
    const parts = { asset: "coin", chain: "chain", to: "destination", senderCountry: "sender's country" };
    for (const [part, name] of Object.entries(parts))
      expect(error("on", { [part]: undefined })).toContain(`the ${name} is missing`);
    expect(error("on", { asset: "USDC" })).toContain("the currency is missing");
    expect(error("on", { asset: "USDC", currency: "USD" })).toBeUndefined();
    expect([error("on", { asset: "" }), error("on", { currency: "" })]).not.toContain(undefined);
    expect(error("on", { asset: "no coin", currency: "CHF" })).toMatch(/^asset must be/);
    expect(error("off", { to: "bank", memo: "7" })).toBe("a rail to a bank has no memo");
    expect(error("on", { memo: "7" })).toBeUndefined();
  });
});
