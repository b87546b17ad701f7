// The funds of a new paper account and of a backtest: only assets that can be valued in CHF, and enough for the venue's
// smallest mint and for an hour of orders in one direction.

export const PAPER_FUNDS: Readonly<Record<string, string>> = {
  CHF: "500000",
  VCHF: "500000",
  GBP: "500000",
  VGBP: "500000",
};
