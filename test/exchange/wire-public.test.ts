// Public calls and balances on a real socket: what is sent, and the contract's and the observed shapes of what comes back.

import { describe, expect, test } from "vitest";
import type { Money } from "../../src/domain/money/money.ts";
import type { Reading } from "../../src/exchange/port.ts";
import { type Ask, asked, problemOf, readFrom } from "../support/asking.ts";
import { reading } from "../support/wire.ts";

describe.concurrent("public calls", () => {
  test("assets: the contract's symbol and name, and the observed chains", async () => {
    const contract = { assets: [{ symbol: "VCHF", name: "VNX Swiss Franc" }] };
    const { got, request } = await asked(contract, (exchange) => exchange.assets(reading));
    expect(request).toMatchObject({ method: "GET", path: "/api/v1/client/assets", body: "" });
    expect(request.headers).not.toHaveProperty("x-app-nonce");
    expect(got).toMatchObject({
      kind: "read",
      value: [{ asset: "VCHF", name: "VNX Swiss Franc", blockchains: undefined }],
    });
    const observed = {
      assets: [
        {
          asset: "VGBP",
          blockchains: [
            { blockchain: "ETH", isactive: true },
            { blockchain: "SOL", isactive: false },
          ],
        },
      ],
    };
    expect(await readFrom(observed, (exchange) => exchange.assets(reading))).toEqual([
      {
        asset: "VGBP",
        name: undefined,
        blockchains: [
          { blockchain: "ETH", active: true },
          { blockchain: "SOL", active: false },
        ],
      },
    ]);
  });

  test("tradingPairs: grids as seen, price decimals 6 where none are given", async () => {
    const body = { pairs: [{ pair: "VCHF/USDC", status: "online", min_order_size: "30", qty_decimals: 5 }] };
    const { got, request } = await asked(body, (exchange) => exchange.pairs(reading));
    expect(request).toMatchObject({ method: "GET", path: "/api/v1/client/tradingPairs" });
    expect(JSON.parse(JSON.stringify(got))).toMatchObject({
      value: [
        {
          symbol: "VCHF/USDC",
          base: "VCHF",
          quote: "USDC",
          status: "online",
          quantityDecimals: 5,
          priceDecimals: 6,
          quantityMin: "30",
        },
      ],
    });
    const number =
      '{"pairs":[{"pair":"VCHF/CHF","status":"halted","min_order_size":0.1,"qty_decimals":"2","price_decimals":4}]}';
    expect(JSON.parse(JSON.stringify(await readFrom(number, (exchange) => exchange.pairs(reading))))).toMatchObject([
      { status: "halted", quantityMin: "0.1", quantityDecimals: 2, priceDecimals: 4 },
    ]);
  });

  test("tradingPairs: a pair without its minimum or decimals is left out, never given a default", async () => {
    const pair = { pair: "VCHF/CHF", status: "online", min_order_size: "1", qty_decimals: 2 };
    for (const field of Object.keys(pair)) {
      const { got } = await asked({ pairs: [{ ...pair, [field]: null }] }, (exchange) => exchange.pairs(reading));
      expect(got, field).toMatchObject({
        kind: "read",
        value: [],
        problems: [{ problem: expect.stringContaining(field) }],
      });
    }
  });

  test("quotes: a venue that has none says so with 403 or 404, and that is not a dead key", async () => {
    for (const status of [403, 404]) {
      const { got } = await asked(
        { code: "nope", status, message: "" },
        (exchange) => exchange.quotes(reading),
        status,
      );
      expect(got).toMatchObject({
        kind: "failed",
        failure: { code: "not-available" },
      });
    }
  });
});

describe.concurrent("balances", () => {
  const balances: Ask<Reading<readonly { asset: string; available: Money; pending: Money | undefined }[]>> = (
    exchange,
  ) => exchange.balances(reading);

  test("the contract's and the observed names; a missing pending is unknown", async () => {
    const contract = {
      balances: [
        { asset: "VCHF", available: "0", pending: "0" },
        { asset: "GBP", available: "12.50", pending: "1" },
      ],
    };
    const { got, request } = await asked(contract, balances);
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/private/accountBalance", body: "" });
    expect(request.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(got).toMatchObject({ nonce: 1_001 });
    expect(got.kind === "read" && got.value.map((row) => `${row.asset} ${row.available} ${row.pending}`)).toEqual([
      "VCHF 0 0",
      "GBP 12.5 1",
    ]);
    const observed = '{"Balances":[{"Asset":"VCHF","available_balance":1000.000000000000000001}]}';
    const [row] = await readFrom(observed, balances);
    expect(`${row?.available} ${row?.pending}`).toBe("1000.000000000000000001 undefined");
  });

  test("an amount that is missing or unreadable fails the reading, by its place", async () => {
    expect(await problemOf({ balances: [{ asset: "CHF" }] }, balances)).toBe(
      'unreadable: balances[0].available must be a decimal, was missing; the row has asset: "xxx"',
    );
    for (const available of ["", "1,0", "NaN", "1e400", "+1", ".5", "00", "1.0000000000000000001", null, [], true])
      expect(await problemOf({ balances: [{ asset: "CHF", available }] }, balances), String(available)).toContain(
        "unreadable: balances[0].available",
      );
    expect(await problemOf({ balances: [{ asset: "CHF", available: "1", pending: "?" }] }, balances)).toContain(
      "pending",
    );
  });

  test("V07 a negative balance is read, so that it can be shown", async () => {
    const [row] = await readFrom({ balances: [{ asset: "CHF", available: "-0.01", pending: "0" }] }, balances);
    expect(row?.available.isNegative()).toBe(true);
  });

  test("V10 an asset of an unknown name is shown as a problem and nothing else is lost", async () => {
    const body = {
      balances: [
        { asset: "x-coin", available: "1" },
        { asset: "CHF", available: "2" },
      ],
    };
    const { got } = await asked(body, balances);
    expect(got).toMatchObject({
      kind: "read",
      value: [{ asset: "CHF" }],
      problems: [{ problem: expect.stringContaining("balances[0]") }],
    });
  });

  test("an asset listed twice, or a field in two spellings that differ, fails the reading", async () => {
    const twice = {
      balances: [
        { asset: "CHF", available: "1" },
        { asset: "CHF", available: "2" },
      ],
    };
    expect(await problemOf(twice, balances)).toContain("twice");
    expect(await problemOf('{"balances":[{"asset":"CHF","available":"1","Available":"2"}]}', balances)).toContain(
      "must have one value, was 1 (available) and 2 (Available)",
    );
    expect(await readFrom('{"balances":[{"asset":"CHF","available":"1","Available":"1"}]}', balances)).toHaveLength(1);
  });
});
