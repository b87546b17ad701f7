// Builds the page, and draws every chart into its place, and again when the window or the theme changes, or it goes to paper.

import { linkZoom, unlinkAll } from "../../../src/watch/chart/page/frame.js";
import { stack, timeline } from "../../../src/watch/chart/page/lane-charts.js";
import { forgetInks, onTheme } from "../../../src/watch/chart/page/theme.js";
import { timeChart } from "../../../src/watch/chart/page/time-chart.js";
import { curve, histogram, waterfall } from "./bar-charts.js";
import { buildPage } from "./parts.js";

const DRAW = { time: timeChart, histogram, waterfall, curve, stack, timeline };

const report = JSON.parse(document.querySelector("#report").textContent);
const charts = report.parts.flatMap((part) => part.charts ?? []);
buildPage(report);
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

/** A calendar begins with January, and a run may not: on a phone its cells would lie beyond the edge. */
function showReturns(box) {
  const cells = [...box.querySelectorAll("td")].filter(({ textContent }) => textContent !== "");
  const [first] = cells.sort((one, other) => one.offsetLeft - other.offsetLeft);
  if (first === undefined || first.offsetLeft + first.offsetWidth <= box.clientWidth) return;
  box.scrollLeft = first.offsetLeft - box.querySelector("th[scope=row]").offsetWidth;
}

for (const box of document.querySelectorAll("[data-heat]")) showReturns(box);
drawIfResized();
let waiting;
addEventListener("resize", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawIfResized);
});
onTheme(drawAll);

// A canvas keeps the width it was drawn for, and paper is narrower than most windows, and white.
const { classList, dataset } = document.documentElement;
let theme;
addEventListener("beforeprint", () => {
  theme = dataset.theme;
  dataset.theme = "light";
  classList.add("printed");
  drawAll();
});
addEventListener("afterprint", () => {
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
  classList.remove("printed");
  drawAll();
});
