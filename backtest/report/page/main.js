// Draws every chart of the page into its place, and again when the window or the theme changes.

import { curve, histogram, waterfall } from "./bar-charts.js";
import { linkZoom, unlinkAll } from "./frame.js";
import { stack, timeline } from "./lane-charts.js";
import { forgetInks, onTheme } from "./theme.js";
import { timeChart } from "./time-chart.js";

const DRAW = { time: timeChart, histogram, waterfall, curve, stack, timeline };

const charts = JSON.parse(document.querySelector("#charts").textContent);
let plots = [];

function drawAll() {
  forgetInks();
  unlinkAll();
  for (const plot of plots) plot.destroy();
  plots = charts
    .filter(({ drawn }) => drawn)
    .map((chart) => {
      const place = document.querySelector(`[data-chart="${chart.id}"]`);
      const plot = DRAW[chart.drawn.kind](place, chart);
      place.dataset.drawn = "yes";
      return plot;
    });
  requestAnimationFrame(linkZoom);
}

let width = 0;
function drawIfResized() {
  if (innerWidth === width) return;
  width = innerWidth;
  drawAll();
}

drawIfResized();
let waiting;
addEventListener("resize", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawIfResized);
});
onTheme(drawAll);
