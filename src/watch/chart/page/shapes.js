// What is drawn by hand onto a chart, in the units of the chart.

/** A filled box in the units of the chart, with a hair of room on its sides. */
export function box(plot, fromX, toX, fromY, toY, colour, room) {
  const { ctx } = plot;
  const [left, right] = [plot.valToPos(fromX, "x", true), plot.valToPos(toX, "x", true)];
  const [one, other] = [plot.valToPos(fromY, "y", true), plot.valToPos(toY, "y", true)];
  ctx.fillStyle = colour;
  ctx.fillRect(
    left + room,
    Math.min(one, other),
    Math.max(1, right - left - 2 * room),
    Math.max(1, Math.abs(one - other)),
  );
}

/** Nothing of it gets outside the plot. */
export function clipped(plot, draw) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}
