// Charts of bars: how often, from what to what, and means with their errors.

import { said } from "../../../src/watch/chart/page/format.js";
import { frame, isNarrow, quiet, valueAxis } from "../../../src/watch/chart/page/frame.js";
import { box } from "../../../src/watch/chart/page/shapes.js";
import { ink, thin } from "../../../src/watch/chart/page/theme.js";

export function histogram(place, chart) {
  const { edges, counts, unit } = chart.drawn;
  const middles = counts.map((_, bin) => (edges[bin] + edges[bin + 1]) / 2);
  const options = frame(place, chart, {
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: [edges[0], edges.at(-1)] }, y: { range: (_, __, high) => [0, high * 1.08] } },
    axes: [
      { ...valueAxis(unit), size: 34, space: 70 },
      { ...valueAxis("count"), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000] },
    ],
    series: [
      { label: "about", value: (_, value) => said(value, unit) },
      {
        label: "times",
        stroke: ink("main"),
        paths: () => null,
        points: { show: false },
        value: (_, value) => said(value, "count"),
      },
    ],
    hooks: {
      draw: [
        (plot) =>
          counts.forEach((count, bin) => {
            const colour = ink(middles[bin] < 0 ? "loss" : "gain");
            box(plot, edges[bin], edges[bin + 1], 0, count, colour, 1);
          }),
      ],
    },
  });
  return new uPlot(options, [middles, counts], place);
}

export function waterfall(place, chart) {
  const { steps, unit } = chart.drawn;
  const places = steps.map((_, index) => index);
  const narrow = isNarrow(place);
  const hidden = { paths: () => null, points: { show: false }, value: (_, value) => said(value, unit) };
  const options = frame(place, chart, {
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: [-0.6, steps.length - 0.4] }, y: { range: () => levels(steps) } },
    axes: [
      {
        ...quiet(),
        size: narrow ? 66 : 44,
        rotate: narrow ? -50 : 0,
        grid: { show: false },
        splits: () => places,
        values: (_, splits) => splits.map((index) => (steps[index]?.label ?? "").replaceAll(" ", narrow ? " " : "\n")),
      },
      valueAxis(unit),
    ],
    series: [
      { label: "step", value: (_, index) => (index === null ? "\u2013" : (steps[index]?.label ?? "")) },
      { ...hidden, label: "change", stroke: ink("main"), scale: "change" },
      { ...hidden, label: "comes to", stroke: ink("muted") },
    ],
    hooks: { draw: [(plot) => drawSteps(plot, steps)] },
  });
  return new uPlot(options, [places, steps.map(({ from, to }) => to - from), steps.map(({ to }) => to)], place);
}

function levels(steps) {
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const air = (high - low || 1) * 0.06;
  return [low < 0 ? low - air : 0, high + air];
}

function drawSteps(plot, steps) {
  const { ctx } = plot;
  steps.forEach(({ from, to, ink: name }, index) => {
    box(plot, index - 0.36, index + 0.36, from, to, ink(name), 1);
    if (index + 1 >= steps.length) return;
    const y = plot.valToPos(to, "y", true);
    ctx.strokeStyle = ink("muted");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(plot.valToPos(index + 0.36, "x", true), y);
    ctx.lineTo(plot.valToPos(index + 0.64, "x", true), y);
    ctx.stroke();
    ctx.setLineDash([]);
  });
  zeroLine(plot);
}

export function curve(place, chart) {
  const { places, curves, unit, across = "after" } = chart.drawn;
  const columns = curves.map(({ points }) => points.map((point) => (point === null ? null : point.mean)));
  const options = frame(place, chart, {
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false, range: [-0.4, places.length - 0.6] }, y: { range: () => withErrors(curves) } },
    axes: [
      { ...quiet(), size: 34, splits: () => places.map((_, index) => index), values: () => places },
      valueAxis(unit),
    ],
    series: [
      { label: across, value: (_, index) => (index === null ? "\u2013" : (places[index] ?? "")) },
      ...curves.map(({ label, ink: name }) => ({
        label,
        stroke: ink(name),
        width: 1.5,
        points: { show: true, size: 6, fill: ink(name) },
        value: (_, value) => said(value, unit),
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          zeroLine(plot);
          for (const { ink: name, points } of curves) drawErrors(plot, points, ink(name));
        },
      ],
    },
  });
  return new uPlot(options, [places.map((_, index) => index), ...columns], place);
}

function withErrors(curves) {
  const ends = curves.flatMap(({ points }) =>
    points.flatMap((point) => (point === null ? [] : [point.mean - point.error, point.mean + point.error])),
  );
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const air = (high - low || 1) * 0.1;
  return [low - air, high + air];
}

function drawErrors(plot, points, colour) {
  const { ctx } = plot;
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  points.forEach((point, index) => {
    if (point === null) return;
    const x = plot.valToPos(index, "x", true);
    ctx.beginPath();
    for (const end of [point.mean - point.error, point.mean + point.error]) {
      const y = plot.valToPos(end, "y", true);
      ctx.moveTo(x - 4 * devicePixelRatio, y);
      ctx.lineTo(x + 4 * devicePixelRatio, y);
    }
    ctx.moveTo(x, plot.valToPos(point.mean - point.error, "y", true));
    ctx.lineTo(x, plot.valToPos(point.mean + point.error, "y", true));
    ctx.stroke();
  });
}

function zeroLine(plot) {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(0, "y", true);
  ctx.strokeStyle = thin(ink("muted"), 0.7);
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
}
