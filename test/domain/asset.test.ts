// Assets and the symbols of pairs: what is one, and what is refused.

import { expect, test } from "vitest";
import { assetsOf, type PairSymbol, parseAsset, parseSymbol } from "../../src/domain/asset.ts";

test("an asset is 2 to 12 capitals and digits", () => {
  expect(parseAsset("VCHF").ok).toBe(true);
  expect(parseAsset("1INCH").ok).toBe(true);
  for (const text of ["", "A", "vchf", "VCHF ", "VCHF\n", "ABCDEFGHIJKLM", "V/C", "VĊHF", "__proto__"])
    expect(parseAsset(text).ok, text).toBe(false);
});

test("a symbol is two different assets", () => {
  expect(parseSymbol("VCHF/CHF").ok).toBe(true);
  for (const text of ["CHF/CHF", "VCHFCHF", "VCHF/", "/CHF", "VCHF/CHF/USD", "vchf/chf", "VCHF/CHF\n"])
    expect(parseSymbol(text).ok, text).toBe(false);
  expect(assetsOf("VCHF/CHF" as PairSymbol)).toEqual({ base: "VCHF", quote: "CHF" });
});
