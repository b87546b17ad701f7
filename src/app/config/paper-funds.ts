// The funds of a new paper account and of a backtest: only assets that can be valued in CHF. Fiat is enough for the venue's
// smallest mint; of each coin there is a share of what exists that an account could have (about 6.7 M VCHF).

export const PAPER_FUNDS: Readonly<Record<string, string>> = {
  CHF: "250000",
  VCHF: "50000",
  GBP: "250000",
  VGBP: "50000",
};
