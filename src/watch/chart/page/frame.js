// What every chart has in common: its place, its size, quiet axes, a legend that follows the cursor. Charts over time share
// one cursor, and one zoom when the reader drags.

import { ticks } from "./format.js";
import { font, ink, thin } from "./theme.js";

const HEIGHTS = { wide: 260, half: 220 };
const TOGETHER = uPlot.sync("time");

export function frame(place, chart, options) {
  return {
    width: place.clientWidth,
    height: place.clientWidth < 480 ? 200 : HEIGHTS[chart.size],
    padding: [8, edge, 0, 0],
    legend: { live: true },
    // Dates are UTC everywhere: a reader elsewhere sees the same page.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    ...options,
  };
}

export function valueAxis(unit) {
  return {
    ...quiet(),
    size: roomFor,
    values: (_, splits) => ticks(splits, unit),
  };
}

const VALUE_WIDTH = 62;

/** As wide as its longest label: 1,200,000 needs more than 410,000, and a canvas cuts what does not fit. */
function roomFor(plot, labels, axisIndex, cycle) {
  const axis = plot.axes[axisIndex];
  // Wider once, it may have other labels: it is not measured for ever.
  if (cycle > 1) return axis._size;
  return Math.max(VALUE_WIDTH, widest(plot, labels ?? []) + axis.ticks.size + axis.gap + 2);
}

const EDGE_WIDTH = 18;

/** Half of a label below the axis may stand beyond the last tick: 12:05:30 needs more than 12:05. */
function edge(plot, side, _, cycle) {
  // Nothing is laid out yet.
  if (cycle === 0) return EDGE_WIDTH;
  if (cycle > 1) return plot._padding[side];
  const lines = (plot.axes[0]._values ?? []).flatMap((label) => String(label ?? "").split("\n"));
  return Math.max(EDGE_WIDTH, Math.ceil(widest(plot, lines) / 2) + 2);
}

function widest({ ctx }, labels) {
  ctx.save();
  ctx.font = font();
  const width = Math.max(0, ...labels.map((label) => ctx.measureText(label).width));
  ctx.restore();
  return Math.ceil(width);
}

export function timeAxis() {
  return { ...quiet(), space: 70, size: 40, values: (_, splits, __, ___, step) => dates(splits, step) };
}

/** Days as 5 Jan, hours as 14:00 with the day below where it begins. */
function dates(splits, step) {
  let before = "";
  return splits.map((seconds) => {
    const text = new Date(seconds * 1000).toUTCString();
    const [, day, month, year, time] = text.split(" ");
    const date = `${Number(day)} ${month}`;
    if (step >= 86_400 * 28) return `${month} ${year}`;
    if (step >= 86_400) return date;
    const shown = time.slice(0, step < 60 ? 8 : 5);
    const isNew = date !== before;
    before = date;
    return isNew ? `${shown}\n${date}` : shown;
  });
}

function quiet() {
  const grid = { stroke: thin(ink("line"), 0.9), width: 1 };
  return { stroke: ink("muted"), font: font(), grid, ticks: { ...grid, size: 4 } };
}

/** Options of a chart over time that moves with the others. */
export function together() {
  return {
    cursor: { sync: { key: TOGETHER.key }, drag: { x: true, y: false }, points: { size: 5 } },
    hooks: { setScale: [zoomAll] },
  };
}

const linked = new Set();
// Also while charts are made: a chart that shows less time must not zoom the others.
let zooming = true;

export function link(plot) {
  linked.add(plot);
}

export function unlinkAll() {
  linked.clear();
  zooming = true;
}

export function linkZoom() {
  zooming = false;
}

function zoomAll(plot, scale) {
  if (scale !== "x" || zooming || !linked.has(plot)) return;
  zooming = true;
  const { min, max } = plot.scales.x;
  const isWhole = min <= plot.data[0][0] && max >= plot.data[0].at(-1);
  for (const other of linked) {
    if (other === plot) continue;
    const [first, last] = [other.data[0][0], other.data[0].at(-1)];
    const [from, to] = isWhole ? [first, last] : [Math.max(min, first), Math.min(max, last)];
    // One that has nothing in that time stays as it is.
    if (from < to) other.setScale("x", { min: from, max: to });
  }
  // What was set takes effect after this, all at once.
  queueMicrotask(() => queueMicrotask(linkZoom));
}
