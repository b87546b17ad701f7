// Builds the page from the report: each part by its kind. Texts are only ever set as text.

import { element } from "./element.js";
import { parameterMap } from "./parameter-map.js";

const { body } = document;

export function buildPage(report) {
  const { title, facts, stopped, banner, notes, parts, footer } = report;
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

const BUILD = {
  tiles: ({ lines }) => [element("dl", { className: "tiles" }, ...lines.map(tileOf))],
  charts: ({ charts }) => [element("div", { className: "grid" }, ...charts.map(figureOf))],
  figures: figuresOf,
  table: ({ columns, rows, notes = [] }) => [
    scrolled(tableOf(columns, rows), rows.length > 25 ? "" : " flat"),
    ...notes.map(noteOf),
  ],
  settings: ({ rows }) => [scrolled(element("table", {}, sectionOf("tbody", rows.map(settingRow))), " flat facts")],
  calendar: ({ maps, missing }) => (missing ? [missingOf(missing)] : maps.map(calendarOf)),
  map: ({ map }) => parameterMap(map),
};

function noteOf(text) {
  return element("p", { className: "note" }, text);
}

function missingOf(reason) {
  return element("p", { className: "missing" }, `n/a: ${reason}`);
}

function sectionOf(tag, rows) {
  return element(tag, {}, ...rows);
}

function scrolled(table, more) {
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

function keyOf({ label, ink, time, of }) {
  const count = (value) => value.toLocaleString("en");
  const text = time.length < of ? `${count(time.length)} of ${count(of)}` : count(of);
  return element("li", { className: `mark-${ink}` }, `${label} (${text})`);
}

function figuresOf({ groups }) {
  const cell = ({ text, tone = "" }) => element("td", { className: `n ${tone}` }, text);
  const row = (line) => {
    const more = element("td", { className: "more" }, line.note ?? "");
    return element("tr", {}, element("th", { scope: "row" }, line.label), cell(line), more);
  };
  const sections = groups.map(({ title, lines }) =>
    element("section", {}, element("h3", {}, title), element("table", {}, sectionOf("tbody", lines.map(row)))),
  );
  return [element("div", { className: "figures" }, ...sections)];
}

function tableOf(columns, rows) {
  const kind = ({ align }) => (align === "right" ? "n" : "");
  const head = columns.map((column) => element("th", { scope: "col", className: kind(column) }, column.title));
  const row = (cells) =>
    element(
      "tr",
      {},
      ...columns.map((column, place) => element("td", { className: kind(column) }, cells[place] ?? "")),
    );
  return element("table", {}, sectionOf("thead", [element("tr", {}, ...head)]), sectionOf("tbody", rows.map(row)));
}

function settingRow({ name, value }) {
  return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value));
}

/** The table is wider than a phone, so it scrolls separately, also by keyboard, and its row names stay in place. */
function calendarOf({ name, columns, rows }) {
  const titles = columns.map((title) => element("th", { className: "n", scope: "col" }, title));
  const shade = (level) => (level === 0 ? "" : `${level > 0 ? "g" : "l"}${Math.abs(level)}`);
  const cell = (one) =>
    one ? element("td", { className: shade(one.level), title: one.more }, one.text) : element("td", {});
  const lines = rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.name), ...row.cells.map(cell)));
  const table = element(
    "table",
    { className: "heat" },
    sectionOf("thead", [element("tr", {}, element("th", {}), ...titles)]),
    sectionOf("tbody", lines),
  );
  const box = scrolled(table, " flat");
  Object.assign(box, { tabIndex: 0, role: "region", ariaLabel: `returns by ${name}` });
  box.dataset.heat = name;
  return box;
}
