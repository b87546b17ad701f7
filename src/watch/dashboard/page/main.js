// The page: takes what the bot tells, keeps a bounded part of it, and shows it. It begins with everything, goes on with what
// each second brings, and begins again whenever it was away.

import { forgetInks, onTheme } from "../../chart/page/theme.js";
import { watchPlace } from "./background.js";
import { showBudget } from "./budget.js";
import { equityChart, PairCharts } from "./charts.js";
import { byId, choice } from "./dom.js";
import { showInventory } from "./inventory.js";
import {
  openPrices,
  showFeeds,
  showHidden,
  showLimits,
  showNotes,
  showOpen,
  showPrices,
  showSettlements,
  showWaiting,
} from "./lists.js";
import { Series } from "./series.js";
import { equityGap } from "./state.js";
import { follow } from "./stream.js";
import { askToLook, openSwitch, showSwitch, tokenHeld } from "./switch.js";
import { openTape, showTape } from "./tape.js";
import { showBanners, showLink, showTiles, showTop } from "./top.js";

const SPANS = [
  { key: 0, label: "15 min", title: "by the second", seconds: 900 },
  { key: 1, label: "3 h", title: "every 10 seconds", seconds: 10_800 },
  { key: 2, label: "36 h", title: "every 2 minutes", seconds: 129_600 },
];
/** A run that has just begun fills this much of the charts at least. */
const WINDOW_MIN_S = 120;
const MARKS_MAX = 1_000;
const SLOTS_MAX = 300;

const build = document.querySelector("meta[name=build]").content;
const series = new Series();
const equity = equityChart(byId("equity"));
const charted = new Map();
let bot;
let link = "connecting";
let span = SPANS[0];

function takeSnapshot(snapshot) {
  const isKnown = bot !== undefined;
  series.take(snapshot);
  const { pairs, status, settlements } = snapshot;
  bot = {
    boot: snapshot.boot,
    isOutdated: snapshot.build !== build,
    pairs,
    status,
    settlements,
    // What an earlier life of the bot sent is still true.
    fills: merged(bot?.fills, snapshot.fills),
    misses: merged(bot?.misses, snapshot.misses),
    slots: snapshot.slots,
  };
  if (!isKnown) for (const pair of pairs) if (pair.parBandBps !== undefined) showPair(pair);
  show();
}

function takeTick({ status, points, fills, misses, slots, settlements }) {
  if (bot === undefined) return;
  series.add(points);
  const { decisions, notes } = bot.status;
  bot.status = { decisions, notes, ...status };
  bot.fills = merged(bot.fills, fills);
  bot.misses = merged(bot.misses, misses);
  const known = new Set(bot.slots.map(({ at }) => at));
  bot.slots = [...bot.slots, ...slots.filter(({ at }) => !known.has(at))].slice(-SLOTS_MAX);
  bot.settlements = settlements ?? bot.settlements;
  show();
}

/** By order: one that comes again is the same one. */
function merged(before = [], news = []) {
  const all = new Map([...before, ...news].map((one) => [one.clientOrderId, one]));
  return [...all.values()].slice(-MARKS_MAX);
}

function show() {
  const { status } = bot;
  showTop(status);
  showSwitch(status);
  showTiles(status);
  showPrices(status, bot.pairs, (symbol) => charted.has(symbol));
  showInventory(status);
  showHidden(status);
  showLimits(status);
  showOpen(status);
  showWaiting(status);
  showSettlements(bot.settlements, status.at);
  showFeeds(status);
  showNotes(status);
  showTape(status.decisions, status.at);
  showBudget(bot.slots, status.at);
  showCharts();
  showLinks();
  document.body.dataset.boot = bot.boot;
  document.body.dataset.fills = String(bot.fills.length);
}

function showCharts() {
  const now = bot.status.at / 1_000;
  const from = Math.min(Math.max(now - span.seconds, series.firstTime), now - WINDOW_MIN_S);
  const window = [from, now];
  const rows = series.from(span.key, from);
  const missing = equityGap(bot.status.equity);
  equity.show({ time: rows.time, columns: [rows.column("equity")], window, missing });
  for (const charts of charted.values()) charts.show({ rows, window, fills: bot.fills, misses: bot.misses });
}

function showPair(pair) {
  charted.set(pair.symbol, new PairCharts(byId("pairs"), pair));
}

function togglePair(symbol) {
  const shown = charted.get(symbol);
  if (shown === undefined) showPair(bot.pairs.find((pair) => pair.symbol === symbol));
  else {
    shown.close();
    charted.delete(symbol);
  }
  show();
}

function showLinks() {
  showLink(link, bot?.status);
  showBanners(bot?.status, link, bot?.isOutdated ?? false);
}

openTape();
openPrices(togglePair);
openSwitch();
choice(byId("spans"), SPANS, span.key, (key) => {
  span = SPANS[key];
  if (bot !== undefined) showCharts();
});
onTheme(() => {
  forgetInks();
  equity.redraw();
  for (const charts of charted.values()) charts.redraw();
});
const followed = follow({
  token: tokenHeld,
  snapshot: takeSnapshot,
  tick: takeTick,
  link(state, { isKnown = false } = {}) {
    if (state === "locked") askToLook("unlock");
    // Again only where a token was given: without one the question was put once already.
    if (state === "full" && (state !== link || tokenHeld() !== undefined)) askToLook("crowded", isKnown);
    if (state === link) return;
    link = state;
    showLinks();
  },
});
watchPlace({
  page: document,
  locks: navigator.locks,
  taken: () => followed.goOn(),
  lost: () => followed.rest(),
});
