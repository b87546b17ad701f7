// The figures of the one statement as people read them: value by each measure, and profit since the journal began by its source.

import { amountText, changeText } from "../../domain/amount-text.ts";
import { durationText } from "../../domain/time-text.ts";
import type { ShownEquity, ShownTotals } from "../status.ts";

/** `at mid 99,800.00, at par 100,000.00, oldest price 2 s`. */
export function valueText({ atMid, atPar, markAgeMs }: ShownEquity): string {
  const age = markAgeMs === undefined ? "" : `, oldest price ${durationText(markAgeMs)}`;
  return `at mid ${amountText(atMid)}, at par ${amountText(atPar)}${age}`;
}

/** `realised +1.20, unrealised -0.40, FX +12.00, fees of trades 0.30, of mints 5.00`. */
export function profitText({ realised, unrealised, fx, fees, mintFees, railFees }: ShownTotals): string {
  const gained = `realised ${changeText(realised)}, unrealised ${changeText(unrealised)}, FX ${changeText(fx)}`;
  const moved = Object.entries({ mints: mintFees, rails: railFees }).filter(([, fee]) => Number(fee) !== 0);
  return `${gained}, fees of trades ${amountText(fees)}${moved.map(([of, fee]) => `, of ${of} ${amountText(fee)}`).join("")}`;
}
