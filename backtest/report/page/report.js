// Builds the page of a report: each part by its kind, charts into their places, and again when the window or the theme
// changes. Texts are only ever set as text.

import { said } from "../../../src/watch/chart/page/format.js";
import { frame, linkZoom, unlinkAll, valueAxis } from "../../../src/watch/chart/page/frame.js";
import { box } from "../../../src/watch/chart/page/shapes.js";
import { forgetInks, ink, onTheme } from "../../../src/watch/chart/page/theme.js";
import { timeChart } from "../../../src/watch/chart/page/time-chart.js";

const BUILD = {
  tiles: ({ lines }) => [element("dl", { className: "tiles" }, ...lines.map(tileOf))],
  charts: ({ charts }) => [element("div", { className: "grid" }, ...charts.map(figureOf))],
  figures: ({ groups }) => [element("div", { className: "figures" }, ...groups.map(groupOf))],
  table: ({ columns, rows, notes = [], year }) => [
    scrolled(rows.length > 25 ? "" : " flat", year ? yearOf(tableOf(columns, rows), year) : tableOf(columns, rows)),
    ...notes.map(noteOf),
  ],
  settings: ({ rows }) => [scrolled(" flat facts", element("table", {}, ...rows.map(settingRow)))],
  calendar: ({ maps, missing }) => (missing ? [missingOf(missing)] : maps.map(calendarOf)),
  map: ({ map }) => parameterMap(map),
};

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function buildPage({ title, facts, stopped, banner, notes, parts, footer }) {
  const { body } = document;
  const button = element("button", { id: "theme", type: "button" }, "light / dark");
  body.append(element("header", {}, element("h1", {}, title), button, element("p", {}, facts.join(" \u00b7 "))));
  if (stopped) body.append(element("p", { className: "stopped" }, stopped));
  if (banner) body.append(element("p", { className: "stopped banner" }, banner));
  body.append(...notes.map(noteOf));
  for (const part of parts) {
    if (part.title) body.append(element("h2", {}, part.title));
    body.append(...BUILD[part.kind](part));
  }
  body.append(element("footer", {}, footer));
}

function noteOf(text) {
  return element("p", { className: "note" }, text);
}

function missingOf(reason) {
  return element("p", { className: "missing" }, `n/a: ${reason}`);
}

function scrolled(more, table) {
  return element("div", { className: `scroll${more}` }, table);
}

function tileOf({ label, text, note = "", tone = "" }) {
  return element("div", { title: note }, element("dt", {}, label), element("dd", { className: tone }, text));
}

function figureOf({ id, title, note, size, drawn, missing }) {
  const figure = element("figure", { className: `chart ${size}` }, element("h3", {}, title), element("p", {}, note));
  if (!drawn) {
    figure.append(missingOf(missing));
    return figure;
  }
  const place = element("div", { role: "img", ariaLabel: `${title}: ${note}` });
  place.dataset.chart = id;
  figure.append(place);
  if (drawn.marks?.length > 0) figure.append(element("ul", { className: "keys" }, ...drawn.marks.map(keyOf)));
  return figure;
}

function keyOf({ label, ink: name, time, of }) {
  const count = (value) => value.toLocaleString("en");
  const text = time.length < of ? `${count(time.length)} of ${count(of)}` : count(of);
  return element("li", { className: `mark-${name}` }, `${label} (${text})`);
}

function groupOf({ title, lines }) {
  const row = ({ label, text, note = "", tone = "" }) =>
    rowOf(
      element("th", { scope: "row" }, label),
      element("td", { className: `n ${tone}` }, text),
      element("td", { className: "more" }, note),
    );
  return element("section", {}, element("h3", {}, title), element("table", {}, ...lines.map(row)));
}

function rowOf(...cells) {
  return element("tr", {}, ...cells);
}

function tableOf(columns, rows) {
  const kind = ({ align }) => (align === "right" ? "n" : "");
  const head = columns.map((column) => element("th", { scope: "col", className: kind(column) }, column.title));
  const lines = rows.map((cells) =>
    rowOf(...columns.map((column, place) => element("td", { className: kind(column) }, cells[place] ?? ""))),
  );
  return element("table", {}, element("thead", {}, rowOf(...head)), element("tbody", {}, ...lines));
}

/** Rates can be changed, and what follows is worked out anew. Rows are kinds, quiet days first, and then their sum. */
function yearOf(table, { rows, yearDays, t }) {
  const lines = [...table.tBodies[0].rows].map(({ cells }) => [...cells]);
  const rates = rows.map(({ rate }) => rate);
  const tiles = [...document.querySelectorAll(".tiles div")];
  table.className = "year";
  /** A year by kind and seed, with the sum of all kinds as the last. */
  const yearsIn = (name) => {
    const [quiet, ...events] = rows.map((row) => row[name].map((over) => over ?? Number.NaN));
    const day = quiet.map((over) => over / rows[0].days);
    const extra = (over, seed, row) => rates[row + 1] * (over - rows[row + 1].days * day[seed]);
    const parts = [
      day.map((over) => over * yearDays),
      ...events.map((overs, row) => overs.map((over, seed) => extra(over, seed, row))),
    ];
    return [...parts, day.map((_, seed) => parts.reduce((sum, part) => sum + part[seed], 0))];
  };
  const shown = (value) => (Number.isFinite(value) ? `${value > 0 ? "+" : ""}${said(value, "count")}` : "n/a");
  const fill = () => {
    const own = yearsIn("overs");
    const less = rows[0].less && yearsIn("less");
    const means = own.map(mean);
    const most = Math.max(...means.map(Math.abs), 1e-9);
    const held = rows.map((row, place) => rates[place] * row.held);
    held.push(held.reduce((sum, one) => sum + one, 0));
    lines[0][1].textContent = (yearDays - rows.reduce((sum, { days }, row) => sum + rates[row] * days, 0)).toFixed(2);
    for (const [row, values] of own.entries()) {
      const [year, between, ...rest] = lines[row].slice(4);
      const squares = values.map((value) => (value - means[row]) ** 2);
      const error = t * Math.sqrt(mean(squares) / (values.length - 1));
      const [low, high] = [shown(means[row] - error), shown(means[row] + error)];
      year.textContent = shown(means[row]);
      const colour = `color-mix(in srgb, var(--${means[row] < 0 ? "loss" : "gain"}) 40%, transparent)`;
      year.style.background = `linear-gradient(to left, ${colour} ${(Math.abs(means[row]) / most) * 100}%, transparent 0)`;
      between.textContent = low === high ? `${low} in every seed` : `${low} to ${high}`;
      if (less) rest[0].textContent = shown(means[row] - mean(less[row]));
      rest.at(-1).textContent = shown(held[row]);
    }
  };
  for (const [row, { rate }] of rows.entries()) {
    if (row === 0) continue;
    const ariaLabel = `${lines[row][0].textContent} a year`;
    const input = element("input", {
      type: "number",
      min: 0,
      step: "any",
      value: Number(rate.toPrecision(4)),
      ariaLabel,
    });
    input.addEventListener("input", () => {
      rates[row] = Math.max(0, Number(input.value) || 0);
      fill();
      // The head repeats the last row, in its order: the year, the difference if there is one, the coins.
      const sums = lines
        .at(-1)
        .slice(4)
        .filter((_, place) => place !== 1);
      for (const [place, { textContent }] of sums.entries()) tiles[place].lastChild.textContent = textContent;
    });
    lines[row][1].replaceChildren(input);
  }
  fill();
  return table;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function settingRow({ name, value }) {
  return rowOf(element("th", { scope: "row" }, name), element("td", {}, value));
}

/** `shade` of a cell: its colour, and its share in percent. */
function heatOf(corner, titles, rows) {
  const head = [element("th", {}, corner), ...titles.map((title) => element("th", { className: "n" }, title))];
  const lines = rows.map(({ name, cells }) =>
    rowOf(
      element("th", { scope: "row" }, name),
      ...cells.map((cell) => {
        if (!cell) return element("td", {});
        const made = element("td", { title: cell.more }, cell.text);
        made.style.background = `color-mix(in srgb, var(--${cell.shade[0]}) ${cell.shade[1]}%, transparent)`;
        return made;
      }),
    ),
  );
  return element("table", { className: "heat" }, element("thead", {}, rowOf(...head)), element("tbody", {}, ...lines));
}

/** Wider than a phone, so it scrolls by itself, also by keyboard, and its row names stay in place. */
function calendarOf({ name, columns, rows }) {
  const box = scrolled(" flat", heatOf("", columns, rows));
  Object.assign(box, { tabIndex: 0, role: "region", ariaLabel: `returns by ${name}` });
  box.dataset.heat = name;
  return box;
}

/** The heat map of two parameters, filled anew whenever the reader chooses others. Stronger is better. */
function parameterMap({ axes, figures, places }) {
  const names = axes.map(({ name }) => name);
  const choices = [
    choiceOf("map-x", names),
    choiceOf("map-y", [...names, "nothing"], 1),
    choiceOf(
      "map-figure",
      figures.map(({ label }) => label),
    ),
    choiceOf("map-others", ["the mean", "the best"]),
  ];
  const words = ["across ", "down ", "shows ", "of the others "];
  const box = element("div", { className: "scroll flat", id: "map" });
  const note = element("p", { className: "note", id: "map-note" });
  const fill = () => {
    const [x, y, figure, others] = choices.map(({ value }) => Number(value));
    const across = axes[x];
    // The last choice for down is nothing: one row.
    const down = axes[y] ?? { name: "", labels: [""] };
    const { unit, isCost, values } = figures[figure];
    const groups = down.labels.map(() => across.labels.map(() => []));
    places.forEach((place, set) => {
      if (values[set] !== null) groups[axes[y] ? place[y] : 0][place[x]].push(values[set]);
    });
    const best = (group) => (isCost ? Math.min(...group) : Math.max(...group));
    const mean = (group) => group.reduce((sum, value) => sum + value, 0) / group.length;
    const shown = groups.map((row) => row.map((group) => group.length && (others === 1 ? best(group) : mean(group))));
    const all = shown.flat().filter((_, place) => groups.flat()[place].length > 0);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const cellOf = (value, group, r, c) => {
      if (group.length === 0) return null;
      const part = high > low ? (value - low) / (high - low) : 0.5;
      const text = said(value, unit);
      const where = `${across.name} ${across.labels[c]}${down.name === "" ? "" : `, ${down.name} ${down.labels[r]}`}`;
      const share = Math.round(6 + 58 * (isCost ? 1 - part : part));
      return { text, more: `${where}: ${text}, ${group.length} sets`, shade: ["main", share] };
    };
    const rows = shown.map((row, r) => ({
      name: down.labels[r],
      cells: row.map((value, c) => cellOf(value, groups[r][c], r, c)),
    }));
    box.replaceChildren(heatOf(down.name === "" ? "" : `${down.name} \\ ${across.name}`, across.labels, rows));
    box.dataset.drawn = "yes";
    note.textContent =
      all.length === 0
        ? "no parameter set has this figure"
        : `from ${said(low, unit)} to ${said(high, unit)}; stronger is better, empty was not run or has no such figure`;
  };
  for (const choice of choices) choice.addEventListener("change", fill);
  fill();
  const labels = choices.map((choice, place) => element("label", {}, words[place], choice));
  return [element("p", { className: "choices" }, ...labels), box, note];
}

function choiceOf(id, names, chosen = 0) {
  const choice = element("select", { id }, ...names.map((name, value) => element("option", { value }, name)));
  choice.selectedIndex = chosen;
  return choice;
}

function histogram(place, chart) {
  const { edges, counts, unit } = chart.drawn;
  const middles = counts.map((_, bin) => (edges[bin] + edges[bin + 1]) / 2);
  const colour = (bin) => ink(middles[bin] < 0 ? "loss" : "gain");
  const options = frame(place, chart, {
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: [edges[0], edges.at(-1)] }, y: { range: (_, __, high) => [0, high * 1.08] } },
    axes: [
      { ...valueAxis(unit), size: 34, space: 70 },
      { ...valueAxis("count"), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000] },
    ],
    series: [
      { label: "about", value: (_, value) => said(value, unit) },
      { label: "times", stroke: ink("main"), paths: () => null, value: (_, value) => said(value, "count") },
    ],
    hooks: {
      draw: [
        (plot) => {
          for (const [bin, count] of counts.entries()) box(plot, edges[bin], edges[bin + 1], 0, count, colour(bin), 1);
        },
      ],
    },
  });
  return new uPlot(options, [middles, counts], place);
}

const DRAW = { time: timeChart, histogram };
const report = JSON.parse(document.querySelector("#report").textContent);
const charts = report.parts.flatMap((part) => part.charts ?? []).filter(({ drawn }) => drawn);
let plots = [];
let width = 0;
let waiting;

function drawAll() {
  forgetInks();
  unlinkAll();
  for (const plot of plots) plot.destroy();
  plots = charts.map((chart) => {
    const place = document.querySelector(`[data-chart="${chart.id}"]`);
    const plot = DRAW[chart.drawn.kind](place, chart);
    place.dataset.drawn = "yes";
    return plot;
  });
  requestAnimationFrame(linkZoom);
}

function drawIfResized() {
  if (innerWidth === width) return;
  width = innerWidth;
  drawAll();
}

buildPage(report);
drawIfResized();
addEventListener("resize", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawIfResized);
});
onTheme(drawAll);
