// The budget as stacked stripes, and settlements as bars in lanes.

import { moment, said } from "./format.js";
import { frame, link, quiet, timeAxis, together, valueAxis } from "./frame.js";
import { box, clipped } from "./shapes.js";
import { ink } from "./theme.js";

export function stack(place, chart) {
  const { time, spanS, layers, unit } = chart.drawn;
  const shared = together();
  const options = frame(place, chart, {
    height: 190,
    ...shared,
    scales: {
      x: { time: true, range: (_, low, high) => [low, high === time.at(-1) ? high + spanS : high] },
      y: { range: [0, 1] },
    },
    axes: [timeAxis(), valueAxis(unit)],
    series: [
      { label: "UTC", value: (_, at) => moment(at) },
      ...layers.map(({ label, ink: name }) => ({
        label,
        stroke: ink(name),
        paths: () => null,
        points: { show: false },
        value: (_, value) => said(value, unit),
      })),
    ],
    hooks: { ...shared.hooks, draw: [(plot) => drawLayers(plot, chart.drawn)] },
  });
  const plot = new uPlot(options, [time, ...layers.map(({ values }) => values)], place);
  link(plot);
  return plot;
}

function drawLayers(plot, { time, spanS, layers }) {
  clipped(plot, () => {
    time.forEach((from, stripe) => {
      let level = 0;
      for (const { values, ink: name } of layers) {
        const next = level + values[stripe];
        if (values[stripe] > 0) box(plot, from, from + spanS, level, next, ink(name), 0);
        level = next;
      }
    });
  });
}

export function timeline(place, chart) {
  const { from, to, lanes } = chart.drawn;
  const shared = together();
  const text = { lane: "\u2013" };
  const options = frame(place, chart, {
    ...shared,
    height: 90 + 34 * lanes.length,
    scales: { x: { time: true }, y: { range: [-0.5, lanes.length - 0.5], dir: -1 } },
    axes: [
      timeAxis(),
      {
        ...quiet(),
        size: 110,
        grid: { show: false },
        splits: () => lanes.map((_, index) => index),
        values: () => lanes.map(({ label }) => label),
      },
    ],
    series: [
      { label: "UTC", value: (_, at) => moment(at) },
      { label: "on its way", stroke: ink("main"), paths: () => null, points: { show: false }, value: () => text.lane },
    ],
    hooks: {
      ...shared.hooks,
      draw: [(plot) => clipped(plot, () => drawLanes(plot, lanes))],
      setCursor: [(plot) => name(plot, lanes, text)],
    },
  });
  // A point for every hundredth of the run, so that the cursor has something to stand on.
  const time = Array.from({ length: 101 }, (_, index) => from + ((to - from) * index) / 100);
  const plot = new uPlot(options, [time, time.map(() => 0)], place);
  link(plot);
  return plot;
}

function drawLanes(plot, lanes) {
  lanes.forEach(({ bars }, index) => {
    for (const { from, to, ink: colour } of bars) box(plot, from, to, index - 0.28, index + 0.28, ink(colour), 0);
  });
}

function name(plot, lanes, text) {
  const { left } = plot.cursor;
  const at = left === undefined || left < 0 ? NaN : plot.posToVal(left, "x");
  const under = lanes.flatMap(({ bars }) => bars.filter(({ from, to }) => from <= at && at <= to));
  text.lane = under.length === 0 ? "\u2013" : under.map((bar) => bar.text).join(" \u00b7 ");
}
