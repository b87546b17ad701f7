// What a new paper account has, and a backtest begins with: no asset without a way to value it in CHF.

export const PAPER_FUNDS: Readonly<Record<string, string>> = {
  CHF: "100000",
  VCHF: "100000",
  GBP: "100000",
  VGBP: "100000",
};
