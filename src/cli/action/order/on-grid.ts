// What a person has confirmed leaves as it is, or not at all: limits and sizes of a strategy are rounded to the grid of their
// pair, a person's are refused where they do not lie on it.

import type { Instrument } from "../../../domain/instrument.ts";
import { Money } from "../../../domain/money/money.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Wish } from "./one-shot.ts";

export function requireOnGrid({ side, quantity, price }: Wish, instrument: Instrument): void {
  const { symbol, base, quote, quantityDecimals, priceDecimals } = instrument;
  const given = [
    {
      what: "price",
      amount: Money.of(price, quote),
      decimals: priceDecimals,
      rounding: side === "buy" ? "down" : "up",
    },
    { what: "quantity", amount: Money.of(quantity, base), decimals: quantityDecimals, rounding: "down" },
  ] as const;
  for (const { what, amount, decimals, rounding } of given) {
    if (amount.fits(decimals)) continue;
    const near = amount.rounded(decimals, rounding);
    throw new CommandFailure(
      exitCode.usage,
      `${what} must have at most ${decimals} decimals on ${symbol}, was ${amount}; nothing was sent`,
      near.isZero() ? undefined : `${near} is the nearest that asks for no more`,
    );
  }
}
