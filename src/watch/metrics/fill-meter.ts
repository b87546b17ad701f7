// Fills and their fees, each counted once.

import type { Fill, Side } from "../../domain/order.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import { OTHER, oneOf, type Shelf } from "./closed.ts";

const SIDES: readonly Side[] = ["buy", "sell"];

export function createFillMeter(shelf: Shelf, symbols: readonly string[], assets: readonly string[]) {
  const pairs = [...symbols, OTHER];
  const fills = shelf.counter(["pegbot_fills_total", "fills booked, each once"], { symbol: pairs, side: SIDES });
  const fees = shelf.counter(["pegbot_fees_total", "fees of those fills, in units of the asset"], {
    asset: [...assets, OTHER],
  });
  const booked = new Memory<true>();

  function filled({ clientOrderId: id, symbol, side, fee }: Fill): void {
    if (booked.get(id)) return;
    booked.set(id, true);
    fills.inc({ symbol: oneOf(pairs, symbol), side });
    if (fee.isPositive()) fees.inc({ asset: oneOf(assets, fee.asset) }, fee.toNumber());
  }

  return (record: JournalRecord): void => {
    const event = record.kind === "step" ? record.step.event : undefined;
    if (event?.kind === "report" && event.report.kind === "filled") filled(event.report.fill);
  };
}
