// Lines over time, with bands and marks. Marks that would lie on one another are drawn once; zooming in shows them.

import { moment, said } from "./format.js";
import { frame, link, timeAxis, together, valueAxis } from "./frame.js";
import { clipped } from "./shapes.js";
import { ink, thin } from "./theme.js";

const MARK_GAP = 6;

export function timeChart(place, chart) {
  const { unit, time, lines, marks } = chart.drawn;
  const shared = together();
  const options = frame(place, chart, {
    ...shared,
    scales: {
      x: { time: true },
      y: { range: (plot, low, high) => roomy(low, high, lines, shown(plot, marks)) },
    },
    axes: [timeAxis(), valueAxis(unit)],
    series: [{ label: "UTC", value: pointed(moment) }, ...lines.map((line) => series(line, unit))],
    bands: lines.flatMap(({ fill }, index) =>
      fill === "before" ? [{ series: [index + 1, index], fill: thin(ink(lines[index - 1].ink), 0.35) }] : [],
    ),
    hooks: { ...shared.hooks, draw: [(plot) => clipped(plot, () => drawMarks(plot, marks))] },
  });
  const plot = new uPlot(options, [time, ...lines.map(({ values }) => values)], place);
  link(plot);
  return plot;
}

/** What the cursor points at; the last there is while it is elsewhere. */
function pointed(text) {
  return (plot, value, index, row) => text(row === null || row === undefined ? plot.data?.[index]?.at(-1) : value);
}

function series({ label, ink: name, fill, dashed, stepped }, unit) {
  const colour = ink(name);
  return {
    label,
    stroke: colour,
    width: name === "quiet" ? 0.75 : 1.25,
    points: { show: false },
    value: pointed((value) => said(value, unit)),
    ...(dashed ? { dash: [5, 4] } : {}),
    ...(stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
    ...(fill === "zero" ? { fill: thin(colour, 0.15), fillTo: 0 } : {}),
  };
}

/** The values of the marks in the time on show. */
function shown({ scales }, marks) {
  const { min, max } = scales.x;
  return marks.flatMap(({ time, value }) => value.filter((_, at) => !(time[at] < min || time[at] > max)));
}

/** A little air above and below; zero belongs to what is filled down to it. */
function roomy(low, high, lines, values) {
  if (low === null || high === null) return [0, 1];
  let [from, to] = [low, high];
  if (lines.some(({ fill }) => fill === "zero")) [from, to] = [Math.min(0, from), Math.max(0, to)];
  for (const one of values) [from, to] = [Math.min(from, one), Math.max(to, one)];
  const air = (to - from || Math.abs(to) || 1) * 0.06;
  return [from === 0 ? 0 : from - air, to === 0 ? 0 : to + air];
}

function drawMarks(plot, marks) {
  const { ctx, bbox } = plot;
  for (const { ink: name, shape, time, value } of marks) {
    ctx.strokeStyle = ink(name);
    ctx.fillStyle = ink(name);
    ctx.lineWidth = devicePixelRatio;
    const placed = new Set();
    time.forEach((at, index) => {
      const x = plot.valToPos(at, "x", true);
      const y = plot.valToPos(value[index], "y", true);
      const gap = MARK_GAP * devicePixelRatio;
      const cell = `${Math.round(x / gap)}:${Math.round(y / gap)}`;
      if (x < bbox.left || x > bbox.left + bbox.width || placed.has(cell)) return;
      placed.add(cell);
      drawShape(ctx, shape, x, y, 3.2 * devicePixelRatio);
    });
  }
}

function drawShape(ctx, shape, x, y, size) {
  ctx.beginPath();
  if (shape === "cross") {
    const arm = size * 0.75;
    ctx.moveTo(x - arm, y - arm);
    ctx.lineTo(x + arm, y + arm);
    ctx.moveTo(x - arm, y + arm);
    ctx.lineTo(x + arm, y - arm);
    ctx.stroke();
  } else {
    const tip = shape === "up" ? -size : size;
    ctx.moveTo(x, y + tip);
    ctx.lineTo(x - size, y - tip);
    ctx.lineTo(x + size, y - tip);
    ctx.fill();
  }
}
