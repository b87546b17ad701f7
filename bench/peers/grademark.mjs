// W1 by grademark, a backtester from npm, beside the hand-written loop of bench/backtest.ts: a cross of two averages on
// minute bars, decided at the close, filled at the next open. Averages are worked out beforehand, so that its own loop is
// measured and not its data frames: `npm ci --prefix bench/peers`, then `npm run bench:peers [-- BARS]`.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import dataForge from "data-forge";
import { backtest } from "grademark";

const BARS = Number(process.argv[2] ?? 200_000);
const PAIRS = 7;
const [FAST, SLOW] = [20, 50];

function walk() {
  const bars = [];
  let seed = 7;
  let price = 1;
  for (let i = 0; i < BARS; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const open = price;
    price *= 1 + (seed / 2 ** 32 - 0.5) * 0.001;
    const time = new Date(Date.UTC(2026, 0, 1) + i * 60_000);
    bars.push({ time, open, high: Math.max(open, price), low: Math.min(open, price), close: price, volume: 1 });
  }
  return bars;
}

function averaged(bars) {
  let [fast, slow] = [0, 0];
  return bars.map((bar, i) => {
    fast += bar.close - (i >= FAST ? bars[i - FAST].close : 0);
    slow += bar.close - (i >= SLOW ? bars[i - SLOW].close : 0);
    return { ...bar, isAbove: i >= SLOW && fast / FAST > slow / SLOW };
  });
}

function byHand(bars) {
  let trades = 0;
  let isLong = false;
  let worth = 1;
  for (let i = 0; i + 1 < bars.length; i++) {
    const { isAbove } = bars[i];
    if (isAbove === isLong) continue;
    worth *= isAbove ? 1 / bars[i + 1].open : bars[i + 1].open;
    if (isAbove) trades++;
    isLong = isAbove;
  }
  return trades + (worth > 0 ? 0 : 1);
}

const strategy = {
  entryRule(enter, { bar }) {
    if (bar.isAbove) enter();
  },
  exitRule(exit, { bar }) {
    if (!bar.isAbove) exit();
  },
};

function timed(work) {
  const from = performance.now();
  const trades = work();
  return { seconds: (performance.now() - from) / 1_000, trades };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const bars = averaged(walk());
const frame = new dataForge.DataFrame(bars).setIndex("time").bake();
const pairs = Array.from({ length: PAIRS }, () => ({
  hand: timed(() => byHand(bars)),
  peer: timed(() => backtest(strategy, frame).length),
}));
const result = {
  peer: "grademark 0.3.0, own loop",
  work: "W1",
  rows: BARS,
  pairs: PAIRS,
  rowsPerSecond: Math.round(BARS / median(pairs.map(({ peer }) => peer.seconds))),
  ofHandLoop: Number(median(pairs.map(({ hand, peer }) => hand.seconds / peer.seconds)).toPrecision(3)),
  trades: pairs[0].peer.trades,
  handTrades: pairs[0].hand.trades,
  date: execFileSync("date", ["-u", "+%FT%TZ"]).toString().trim(),
  commit: execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim(),
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
mkdirSync("bench/results", { recursive: true });
writeFileSync("bench/results/peer-grademark.json", `${JSON.stringify(result, null, 2)}\n`);
