// Converts one asset to another by orders: one pair, or two, whichever brings more by the quotes. convert.test.ts next to it
// runs it against a simulated venue.

import type { Venue } from "pegbot/venue";

type Step = { symbol: string; side: "buy" | "sell"; from: string; to: string; rate: number; limit: number };

/** How far from the quote a limit may be. */
const ROOM = 0.001;
/** What stays: the highest fee (`limits.feeBpsMax`, 10 there) is reserved with each order. */
const KEPT = 0.002;

/** Returns what came, as a decimal text. */
export async function convert(venue: Venue, from: string, to: string, amount: string): Promise<string> {
  const [pairs, quotes] = [await venue.pairs(), await venue.quotes()];
  if (pairs.kind === "failed") throw new Error(pairs.failure.message);
  if (quotes.kind === "failed") throw new Error(quotes.failure.message);
  const steps = quotes.value.flatMap(({ symbol, bid, ask }): Step[] => {
    const [base = "", quote = ""] = symbol.split("/");
    return [
      { symbol, side: "sell", from: base, to: quote, rate: bid, limit: bid * (1 - ROOM) },
      { symbol, side: "buy", from: quote, to: base, rate: 1 / ask, limit: ask * (1 + ROOM) },
    ];
  });
  const one = steps.filter((step) => step.from === from && step.to === to).map((step) => [step]);
  const two = steps.flatMap((first) =>
    steps
      .filter((next) => first.from === from && next.from === first.to && next.to === to)
      .map((next) => [first, next]),
  );
  const worth = (route: Step[]) => route.reduce((product, { rate }) => product * rate, 1);
  const [route] = [...one, ...two].sort((a, b) => worth(b) - worth(a));
  if (route === undefined) throw new Error(`no way from ${from} to ${to}`);
  let held = amount;
  for (const { symbol, side, limit } of route) {
    const pair = pairs.value.find((listed) => listed.symbol === symbol);
    if (pair === undefined) throw new Error(`${symbol} is not listed`);
    const spent = Number(held) * (1 - KEPT);
    const most = side === "sell" ? spent : spent / limit;
    const order = {
      symbol,
      side,
      quantity: floored(most, pair.quantityDecimals),
      limit: limit.toFixed(pair.priceDecimals),
    };
    const sent = await venue.order(order);
    const done = sent.kind === "unknown" ? await venue.settle(sent) : sent;
    // What came so far stays where it is: ask again from there.
    if (done.kind !== "filled") throw new Error(`${symbol} is ${done.kind}: ${JSON.stringify(done)}`);
    held = String(done.fill.bought);
  }
  return held;
}

function floored(value: number, decimals: number): string {
  return (Math.floor(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
}
