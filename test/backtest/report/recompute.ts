// Computes the figures of a run again from the folder of `--export` alone: plain arithmetic over its tables, with
// nothing of backtest/metric. By hand: node bin/pegbot.js test/backtest/report/recompute.ts FOLDER

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";

type Row = Readonly<Record<string, string>>;
type Holding = { readonly asset: string; readonly amount: string; readonly rate: string | null; readonly par?: string };

const DAY = 86_400_000;
const HOUR = 3_600_000;

export function recompute(folder: string): Readonly<Record<string, number>> {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const table = (name: string): Row[] => Papa.parse<Row>(read(name).trim(), { header: true }).data;
  const { settings, books, pairs, requests: slots } = JSON.parse(read("run.json"));
  const [fills, unfilled, samples, requests] = ["fills", "unfilled", "samples", "requests"].map((name) =>
    table(`${name}.csv`),
  ) as [Row[], Row[], Row[], Row[]];
  const days = (settings.to - at(samples[0] as Row)) / DAY;
  return {
    ...profit(books, settings.currency, fills),
    ...growth(samples, settings.riskFreeRate),
    ...closing(fills),
    ...orders(fills, unfilled),
    ...traded(fills, samples, { days, to: settings.to, pairs }),
    ...moved(samples, books.opening),
    ...used(
      requests,
      { ...slots, ...settings, openedAt: at(samples.find(({ equity }) => equity !== "") as Row) },
      number(profit(books, settings.currency, fills), "profitOverHolding.value.amount"),
    ),
    ...after(fills),
    ...trips(fills),
    "trades.value.fills": fills.length,
    "trades.value.buys": fills.filter(isBuy).length,
    "trades.value.sells": fills.filter((row) => !isBuy(row)).length,
    "trades.value.perDay": fills.length / days,
  };
}

// Exact decimals: whole numbers of 10^-18.

const ONE = 10n ** 18n;

function exact(text: string): bigint {
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole) * ONE + BigInt(part.slice(0, 18).padEnd(18, "0"));
  return text.startsWith("-") ? -size : size;
}

const times = (one: string, other: string): bigint => (exact(one) * exact(other)) / ONE;
const plain = (value: bigint): number => Number(value) / 1e18;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const total = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const isBuy = ({ side }: Row): boolean => side === "buy";
const at = (row: Row): number => Number(row.time_ms);

function number(figures: Readonly<Record<string, number>>, name: string): number {
  return figures[name] as number;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

type Books = {
  readonly opening: readonly Holding[];
  readonly closing: readonly Holding[];
  readonly equity: string;
  readonly adopted: readonly {
    readonly value: string;
    readonly amounts: readonly { asset: string; amount: string }[];
  }[];
};

function profit({ opening, closing: end, equity, adopted }: Books, currency: string, fills: readonly Row[]) {
  const worth = (held: readonly Holding[]): bigint => total(held.map(({ amount, rate }) => times(amount, rate ?? "0")));
  const rates = new Map(end.map(({ asset, rate }) => [asset, rate]));
  const untraded = [...opening, ...adopted.flatMap(({ amounts }) => amounts)].map(({ asset, amount }) => ({
    ...{ asset, amount },
    rate: rates.get(asset) ?? null,
  }));
  const discount = (held: readonly Holding[]): bigint =>
    total(
      held.map(({ asset, par, rate }) => {
        const amount = opening.find((one) => one.asset === asset)?.amount ?? "0";
        return times(amount, par ?? "0") - times(amount, rate ?? "0");
      }),
    );
  const net = exact(equity) - worth(opening) - total(adopted.map(({ value }) => exact(value)));
  const over = exact(equity) - worth(untraded);
  const fees = total(
    fills.map((row) => times(row.fee as string, row.fee_asset === currency ? "1" : (row.rate as string))),
  );
  const edges = fills.map((row) => {
    const [fair, quoted, price] = [row.fair, row.quoted, Number(row.value) / Number(row.quantity)].map(Number) as [
      number,
      number,
      number,
    ];
    const size = (isBuy(row) ? 1 : -1) * Number(row.quantity) * Number(row.rate);
    return { quoted: (fair - quoted) * size, captured: (fair - price) * size };
  });
  const quotedEdge = sum(edges.map(({ quoted }) => quoted));
  const slippage = sum(edges.map(({ captured, quoted }) => captured - quoted));
  const holding = plain(net) - plain(over);
  return {
    "netProfit.value.amount": plain(net),
    "profitOverHolding.value.amount": plain(over),
    "profitParts.value.markDiscount.amount": plain(discount(opening) - discount(end)),
    "fees.value.total.amount": plain(fees),
    "profitBridge.value.quotedEdge": quotedEdge,
    "profitBridge.value.slippage": slippage,
    "profitBridge.value.holding": holding,
    "profitBridge.value.rest": plain(net) - quotedEdge - slippage + plain(fees) - holding,
  };
}

function growth(samples: readonly Row[], riskFree: number) {
  const [first, last] = [samples[0] as Row, samples.at(-1) as Row];
  const span = at(last) - at(first);
  const period = span >= 20 * DAY ? DAY : HOUR;
  const perYear = (365.25 * DAY) / period;
  const ends = Array.from({ length: Math.floor(span / period) + 1 }, (_, index) =>
    samples.findLast((row) => at(row) <= at(first) + index * period),
  ) as Row[];
  // Growth since the start, as the figures are defined: returns of a few bp keep no more than 12 digits either way.
  const grown = (row: Row, name: string): number => Number(row[name]) / Number(first[name]);
  const returns = (name: string): number[] =>
    ends.slice(1).map((row, index) => grown(row, name) / grown(ends[index] as Row, name) - 1);
  const [own, holding] = [returns("equity"), returns("holding")];
  const over = own.map((value, index) => value - (holding[index] as number));
  const target = riskFree / perYear;
  const sorted = [...own].sort((one, other) => one - other);
  const place = 0.05 * (sorted.length - 1);
  const [low, next] = [sorted[Math.floor(place)], sorted[Math.floor(place) + 1]] as [number, number];
  const worst = low + (next - low) * (place - Math.floor(place));
  const below = Math.sqrt(mean(own.map((value) => Math.min(0, value - target) ** 2)));
  return {
    "totalReturn.value": Number(last.equity) / Number(first.equity) - 1,
    "volatility.value": deviation(own) * Math.sqrt(perYear),
    "sharpe.value": ((mean(own) - target) / deviation(own)) * Math.sqrt(perYear),
    "sharpeOverHolding.value": (mean(over) / deviation(over)) * Math.sqrt(perYear),
    "sortino.value": ((mean(own) - target) / below) * Math.sqrt(perYear),
    "tailLoss.value.valueAtRisk": -worst,
    "tailLoss.value.conditional": -mean(own.filter((value) => value <= worst)),
    ...fall("drawdown", samples),
    ...fall(
      "drawdownOverHolding",
      samples.map((row) => ({ ...row, equity: String(Number(row.equity) / Number(row.holding)) })),
    ),
  };
}

/** The deepest fall below the highest equity so far. */
function fall(name: string, samples: readonly Row[]) {
  let peak = samples[0] as Row;
  let deepest = { size: 0, peak, trough: peak };
  for (const row of samples) {
    if (Number(row.equity) >= Number(peak.equity)) peak = row;
    const size = 1 - Number(row.equity) / Number(peak.equity);
    if (size > deepest.size) deepest = { size, peak, trough: row };
  }
  const back = samples.find((row) => at(row) > at(deepest.trough) && Number(row.equity) >= Number(deepest.peak.equity));
  return {
    [`${name}.value.size`]: deepest.size,
    [`${name}.value.peakAt`]: at(deepest.peak),
    [`${name}.value.troughAt`]: at(deepest.trough),
    [`${name}.value.durationMs`]: at(back ?? (samples.at(-1) as Row)) - at(deepest.peak),
  };
}

function closing(fills: readonly Row[]) {
  const results = fills
    .filter(({ realised }) => realised !== "")
    .map((row) => times(row.realised as string, row.rate as string));
  const won = results.filter((result) => result > 0n);
  const lost = results.filter((result) => result < 0n);
  let [streak, longest] = [0, 0];
  for (const result of results) {
    streak = result > 0n ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return {
    "trades.value.closing": results.length,
    "winRate.value": won.length / results.length,
    "expectancy.value": plain(total(results)) / results.length,
    ...(lost.length > 0 && { "profitFactor.value": plain(total(won)) / -plain(total(lost)) }),
    "streaks.value.won": longest,
  };
}

function orders(fills: readonly Row[], unfilled: readonly Row[]) {
  const decided = unfilled.filter(({ end }) => end !== "not-sent" && end !== "doubt").length + fills.length;
  const edge = (row: Row, price: number): number =>
    (isBuy(row) ? 1 : -1) * (Number(row.fair) - price) * Number(row.quantity) * Number(row.rate);
  const captured = sum(fills.map((row) => edge(row, Number(row.value) / Number(row.quantity))));
  const quoted = sum([...fills, ...unfilled].map((row) => edge(row, Number(row.quoted))));
  return {
    "fillRate.value.rate": fills.length / decided,
    "fillRate.value.orders": fills.length + unfilled.length,
    "edgeCaptured.value.captured": captured,
    "edgeCaptured.value.quoted": quoted,
    "edgeCaptured.value.share": captured / quoted,
    "edgeCaptured.value.capturedBps":
      (captured / sum(fills.map((row) => Number(row.value) * Number(row.rate)))) * 10_000,
  };
}

type Span = {
  readonly days: number;
  readonly to: number;
  readonly pairs: readonly { symbol: string; par: number | null }[];
};

function traded(fills: readonly Row[], samples: readonly Row[], { days, to, pairs }: Span) {
  const turnover = plain(total(fills.map((row) => times(row.value as string, row.rate as string))));
  const spans = samples.map(
    (row, index) => (index + 1 < samples.length ? at(samples[index + 1] as Row) : to) - at(row),
  );
  const equity = sum(samples.map((row, index) => Number(row.equity) * (spans[index] as number))) / sum(spans);
  const pars = new Map(pairs.flatMap(({ symbol, par }) => (par === null ? [] : [[symbol, par]])));
  const premiums = fills.flatMap((row) => {
    const par = pars.get(row.symbol as string);
    if (par === undefined) return [];
    const gain = exact(row.quantity as string) * BigInt(par) - exact(row.value as string);
    return [((isBuy(row) ? gain : -gain) * exact(row.rate as string)) / ONE];
  });
  return {
    "turnover.value.total.amount": turnover,
    "turnover.value.perDay": turnover / equity / days,
    "premiumCaptured.value.amount": plain(total(premiums)),
  };
}

function moved(samples: readonly Row[], opening: readonly Holding[]) {
  const shares = samples.slice(0, -1).map((row, index) => {
    const away = opening.map(({ asset, amount }) => {
      const rate = row[`rate_${asset}`];
      return Math.abs(Number(row[`held_${asset}`]) - Number(amount)) * Number(rate === "" ? 0 : rate);
    });
    return { share: sum(away) / 2 / Number(row.equity), ms: at(samples[index + 1] as Row) - at(row) };
  });
  const all = sum(shares.map(({ ms }) => ms));
  return {
    "exposure.value.mean": sum(shares.map(({ share, ms }) => share * ms)) / all,
    "exposure.value.timeShare": sum(shares.filter(({ share }) => share > 0.001).map(({ ms }) => ms)) / all,
  };
}

function used(
  requests: readonly Row[],
  span: Readonly<Record<"paceMs" | "bucketMs" | "from" | "to" | "openedAt", number>>,
  over: number,
) {
  const { paceMs, bucketMs, from, to, openedAt } = span;
  const counts = requests.map(({ from_ms: _, ...classes }) => sum(Object.values(classes).map(Number)));
  return {
    "slotsUsed.value.total": sum(counts),
    "slotsUsed.value.utilisation": (sum(counts) * paceMs) / (to - from),
    "profitPerRequest.value":
      over / sum(counts.filter((_, row) => Number(requests[row]?.from_ms) + bucketMs > openedAt)),
  };
}

/** Where the mid went after the fills, weighted by their worth; fills of an hour, or a day, count as one for the error. */
function after(fills: readonly Row[]) {
  const columns = Object.keys(fills[0] ?? {}).filter((name) => name.startsWith("mid_after_"));
  const figures = columns.flatMap((name, index) => {
    const known = fills.filter((row) => row[name] !== "");
    const clusterMs = Number(name.split("_")[2]) > 3_600 ? DAY : HOUR;
    const moves = known.map((row) => {
      const price = Number(row.value) / Number(row.quantity);
      const move = ((isBuy(row) ? 1 : -1) * (Number(row[name]) - price) * 10_000) / price;
      return { move, weight: Number(row.value) * Number(row.rate), cluster: Math.floor(at(row) / clusterMs) };
    });
    const weights = sum(moves.map(({ weight }) => weight));
    const middle = sum(moves.map(({ move, weight }) => move * weight)) / weights;
    const clusters = [...new Set(moves.map(({ cluster }) => cluster))];
    const squares = clusters.map((cluster) => {
      const own = moves.filter((one) => one.cluster === cluster);
      return sum(own.map(({ move, weight }) => weight * (move - middle))) ** 2;
    });
    const error = Math.sqrt((clusters.length / (clusters.length - 1)) * sum(squares)) / weights;
    const path = `markout.${index}.bps.value`;
    return [
      [`${path}.mean`, middle] as const,
      ...(clusters.length > 1 ? [[`${path}.standardError`, error] as const] : []),
    ];
  });
  return Object.fromEntries(figures);
}

/** One lot a fill, closed from the front; of pairs of a coin and a currency alone, as the default run has them. */
function trips(fills: readonly Row[]) {
  const lots = new Map<string, { at: number; left: number; price: number }[]>();
  const done: { readonly profit: number; readonly ms: number }[] = [];
  for (const row of fills) {
    const [coin = ""] = (row.symbol as string).split("/");
    const open = lots.get(coin) ?? [];
    lots.set(coin, open);
    const sign = isBuy(row) ? 1 : -1;
    const paid = Number(row.value) * (1 + (sign * Number(row.fee)) / Number(row.value));
    const price = paid / Number(row.quantity) / Number(row.fair);
    let left = sign * Number(row.quantity);
    for (let [lot] = open; lot !== undefined && lot.left * left < 0 && Math.abs(left) > 1e-9; [lot] = open) {
      const size = Math.min(Math.abs(lot.left), Math.abs(left));
      done.push({
        profit: size * (price - lot.price) * -sign * Number(row.fair) * Number(row.rate),
        ms: at(row) - lot.at,
      });
      lot.left += sign * size;
      left -= sign * size;
      if (Math.abs(lot.left) <= 1e-9) open.shift();
    }
    if (Math.abs(left) > 1e-9) open.push({ at: at(row), left, price });
  }
  return {
    "roundTrips.value.count": done.length,
    "roundTrips.value.winRate": done.filter(({ profit }) => profit > 0).length / done.length,
    "roundTrips.value.profit": sum(done.map(({ profit }) => profit)),
    "roundTrips.value.heldMsLongest": Math.max(...done.map(({ ms }) => ms)),
  };
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${JSON.stringify(recompute(process.argv[2] ?? "."), undefined, 2)}\n`);
