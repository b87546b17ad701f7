// Orders: what they take and what they give.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { legs } from "../../src/domain/order.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;

test("a buy takes base for quote, a sell quote for base", () => {
  expect(legs("buy", VCHF, CHF)).toEqual({ bought: VCHF, sold: CHF });
  expect(legs("sell", VCHF, CHF)).toEqual({ bought: CHF, sold: VCHF });
});
