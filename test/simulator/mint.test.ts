import { describe, expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import { admit, at, BTC, balance, CHF, createStage, GBP, KEY, refusalOf, type Stage, VCHF, value } from "./stage.ts";

const HOUR = 3_600_000;
const FORM = { asset: "VCHF", blockchain: "ETH", quantity: "120000" };
const WALLET = "0x00000000000000000000000000000000000000aa";
const TRAVEL_RULE = { originator: "Stage AG", beneficiary: "Stage AG" };

function whitelist(stage: Stage, change: Partial<{ status: "Unconfirmed"; travelRule: undefined }> = {}): void {
  const row = { asset: VCHF, blockchain: "ETH", address: WALLET, label: "cold", ...{ status: "Confirmed" as const } };
  value(stage.venue.whitelist(KEY, { ...row, travelRule: TRAVEL_RULE, ...change }));
}

function mint(stage: Stage, change: Partial<typeof FORM> & { destination?: string } = {}, ms = 0) {
  return stage.venue.mintTokens(KEY, { ...FORM, ...change }, at(ms));
}

function statusAt(stage: Stage, ms: number): string | undefined {
  return value(stage.venue.supplyChanges(KEY, {}, at(ms)))[0]?.status;
}

describe("a mint", () => {
  test("spends fiat at once, shows its tokens as pending, and settles about three hours later", () => {
    const stage = createStage();
    const row = value(mint(stage));
    expect(`${row.spent} ${row.spent.asset} ${row.fee} ${row.status}`).toBe("120000 CHF 0 pending");
    expect(row.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(row.transactionId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(balance(stage, CHF)).toBe("880000 0");
    expect(balance(stage, VCHF)).toBe("10000 120000");
    const takes = row.settlesAt - at(0).settlement;
    expect(takes).toBeGreaterThanOrEqual(HOUR);
    expect(takes).toBeLessThanOrEqual(12 * HOUR);
    expect(statusAt(stage, takes - 1)).toBe("pending");
    expect(statusAt(stage, takes)).toBe("settled");
    expect(balance(stage, VCHF, at(takes))).toBe("130000 0");
  });

  test("must be worth GBP 100,000 at the market's rate, to the last digit", () => {
    const stage = createStage(); // CHF/GBP 0.9
    const edge = { asset: "VCHF", blockchain: "ETH" };
    expect(refusalOf(mint(stage, { ...edge, quantity: "111111.111111" }))).toBe("400 min_amount_below_threshold");
    expect(refusalOf(mint(stage, { ...edge, quantity: "111111.111112" }))).toBe("ok"); // x 0.9 = 100,000.0000008
    stage.venue.credit(KEY, GBP, Quantity.of("200000"), at(0));
    expect(refusalOf(mint(stage, { asset: "VGBP", quantity: "99999.999999" }))).toBe("400 min_amount_below_threshold");
    expect(refusalOf(mint(stage, { asset: "VGBP", quantity: "100000" }))).toBe("ok");
  });

  test("charges its fee as part of what is spent", () => {
    const stage = createStage({ mintFeeBps: 15 });
    const row = value(mint(stage));
    expect(`${row.spent} ${row.fee} ${row.fee.asset}`).toBe("120180 180 CHF"); // 120,000 x 0.0015
    expect(balance(stage, CHF)).toBe("879820 0");
    // Of what was spent nothing stays on its way: the fee is the venue's, the rest its dealer's.
    expect(statusAt(stage, 12 * HOUR)).toBe("settled");
    const settled = stage.venue.ledger().filter(({ from }) => from === "in-flight");
    expect(settled.map(({ to, amount }) => `${amount} ${to}`).sort()).toEqual(["120000 dealer", "180 fees"]);
  });

  test("is paid with BTC, converted at the market less the provider's spread, where there is no fiat", () => {
    const stage = createStage({ mintFeeBps: 10 });
    stage.market.pushRate("BTC/CHF" as never, 80_000);
    const key = "key-of-a-miner";
    admit(stage.venue, key);
    stage.venue.credit(key, BTC, Quantity.of("2"), at(0));
    const row = value(stage.venue.mintTokens(key, FORM, at(0)));
    // 80,000 less 30 bp is 79,760: 120,000 / 79,760 = 1.504513540..., the fee of 120 is 0.001504513...
    expect(`${row.spent} ${row.fee} ${row.spent.asset}`).toBe("1.50601807 0.00150452 BTC");
    expect(balance(stage, BTC, at(0), key)).toBe("0.49398193 0");
  });

  test("to a whitelisted wallet leaves the venue, less the network fee, and never touches the balance", () => {
    const stage = createStage();
    whitelist(stage);
    value(mint(stage, { destination: WALLET }));
    expect(balance(stage, VCHF)).toBe("10000 0");
    expect(statusAt(stage, 12 * HOUR)).toBe("settled");
    expect(balance(stage, VCHF, at(12 * HOUR))).toBe("10000 0");
    const delivered = stage.venue.ledger().filter(({ to, asset }) => to === "outside" && asset === "VCHF");
    expect(delivered.map(({ amount }) => amount)).toEqual(["119996"]); // the network fee on ETH is 4
  });
});
