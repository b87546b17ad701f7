// What it has and what it earned: equity, holdings by part, profit of the day, and profit per request, because requests
// are what is scarce. Floats, for charts; the exact amounts are in the journal.

import { type Shelf, show } from "./closed.ts";
import type { Efficiency } from "./efficiency.ts";
import type { Look } from "./look.ts";

export function createMoneyGauges(
  shelf: Shelf,
  assets: readonly string[],
  efficiency: Efficiency,
): (look: Look) => void {
  const equity = shelf.gauge(
    ["pegbot_equity", "net worth in the currency of the limits, a coin at the lower of par and the best known bid"],
    ["currency"],
  );
  const value = shelf.gauge(
    ["pegbot_value", "all that is held in the currency of the limits, at mid and at par"],
    ["currency", "basis"],
  );
  const earned = shelf.gauge(
    ["pegbot_profit", "profit since the journal began, in the currency of the limits, by its source"],
    ["currency", "kind"],
  );
  const markAge = shelf.gauge(["pegbot_mark_age_seconds", "age of the oldest price behind equity"]);
  const peak = shelf.gauge(["pegbot_equity_peak", "highest equity that losses are measured from"], ["currency"]);
  const balance = shelf.gauge(
    ["pegbot_balance", "what there is of an asset, in its units, by part"],
    ["asset", "kind"],
  );
  const profit = shelf.gauge(
    ["pegbot_day_profit", "gained or lost since the UTC day opened, in the currency of the limits"],
    ["currency", "kind"],
  );
  const fees = shelf.gauge(
    ["pegbot_day_fees", "fees since the UTC day opened, in the currency of the limits, by what they were for"],
    ["currency", "kind"],
  );
  const turnover = shelf.gauge(["pegbot_day_turnover", "value traded since the UTC day opened"], ["currency"]);
  const perRequest = shelf.gauge(
    ["pegbot_profit_per_request", "change of equity for each request since this process, or the UTC day, began"],
    ["currency"],
  );
  return ({ status }) => {
    const { currency, now, atMid, atPar, markAgeMs, realised, revaluation, mintFees, railFees } = status.equity;
    for (const gauge of [equity, value, earned, peak, profit, fees, perRequest, turnover, balance]) gauge.reset();
    if (currency === "") return;
    if (now !== undefined) equity.set({ currency }, Number(now));
    for (const [basis, amount] of Object.entries({ mid: atMid, par: atPar }))
      if (amount !== undefined) value.set({ currency, basis }, Number(amount));
    const { realised: all, unrealised, fx } = status.totals ?? {};
    for (const [kind, amount] of Object.entries({ realised: all, unrealised, fx }))
      if (amount !== undefined) earned.set({ currency, kind }, Number(amount));
    show(markAge, markAgeMs === undefined ? undefined : markAgeMs / 1_000);
    const drawn = status.limits.find(({ key }) => key === "drawdown")?.used;
    if (now !== undefined && drawn !== undefined) peak.set({ currency }, Number(now) + drawn);
    profit.set({ currency, kind: "realised" }, Number(realised));
    if (revaluation !== undefined) profit.set({ currency, kind: "revaluation" }, Number(revaluation));
    if (mintFees !== undefined && railFees !== undefined)
      profit.set({ currency, kind: "mint_rail_fees" }, -Number(mintFees) - Number(railFees));
    for (const [kind, amount] of Object.entries({ trade: status.equity.fees, mint: mintFees, rail: railFees }))
      if (amount !== undefined) fees.set({ currency, kind }, Number(amount));
    turnover.set({ currency }, Number(status.equity.turnover));
    const each = efficiency(status);
    if (each !== undefined) perRequest.set({ currency }, each);
    for (const { asset, held, available, pending, reserved, inFlight } of status.holdings) {
      if (!assets.includes(asset)) continue;
      const parts = { held, available, pending, reserved, in_flight: inFlight };
      for (const [kind, amount] of Object.entries(parts))
        if (amount !== undefined) balance.set({ asset, kind }, Number(amount));
    }
  };
}
