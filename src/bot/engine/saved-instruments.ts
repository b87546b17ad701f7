// The venue's list of pairs as plain data and back: without it a bot that starts anew could order nothing until the venue
// has told its pairs again.

import type { Instrument } from "../../domain/instrument.ts";
import { Quantity } from "../../domain/money/money.ts";

export type SavedInstrument = Omit<Instrument, "quantityMin"> & { readonly quantityMin: string };

export function saveInstruments(instruments: Iterable<Instrument>): SavedInstrument[] {
  return Array.from(instruments, (instrument) => ({ ...instrument, quantityMin: instrument.quantityMin.toString() }));
}

export function loadInstruments(saved: readonly SavedInstrument[]): Instrument[] {
  return saved.map((instrument) => ({ ...instrument, quantityMin: Quantity.of(instrument.quantityMin) }));
}
