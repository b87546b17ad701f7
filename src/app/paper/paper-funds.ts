// The funds of a new paper account and of a backtest: only assets that can be valued in CHF.

export const PAPER_FUNDS: Readonly<Record<string, string>> = {
  CHF: "100000",
  VCHF: "100000",
  GBP: "100000",
  VGBP: "100000",
};
