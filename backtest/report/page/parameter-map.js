// The heat map of two parameters: a table that is filled anew whenever the reader chooses others. Stronger is better.

import { said } from "../../../src/watch/chart/page/format.js";
import { element } from "./element.js";

/** The choices, the table and its note; filled at once. */
export function parameterMap(map) {
  const names = map.axes.map(({ name }) => name);
  const first = map.figures.findIndex(({ values }) => values.some((value) => value !== null));
  const choices = [
    choiceOf("map-x", names, 0),
    choiceOf("map-y", [...names, "nothing"], 1),
    choiceOf(
      "map-figure",
      map.figures.map(({ label }) => label),
      Math.max(0, first),
    ),
    choiceOf("map-others", ["the mean", "the best"], 0),
  ];
  const words = ["across ", "down ", "shows ", "of the others "];
  const labels = choices.map((choice, place) => element("label", {}, words[place], choice));
  const box = element("div", { className: "scroll flat", id: "map" });
  const note = element("p", { className: "note", id: "map-note" });
  const fill = () => fillMap(map, choices, box, note);
  for (const choice of choices) choice.addEventListener("change", fill);
  fill();
  return [element("p", { className: "choices" }, ...labels), box, note];
}

function choiceOf(id, names, chosen) {
  const choice = element("select", { id }, ...names.map((name, value) => element("option", { value }, name)));
  choice.selectedIndex = chosen;
  return choice;
}

function fillMap(map, choices, box, note) {
  const [x, y, figure, others] = choices.map(({ value }) => Number(value));
  const across = map.axes[x];
  // The last choice for down is nothing: one row.
  const down = map.axes[y] ?? { name: "", labels: [""] };
  const { unit, isCost, values } = map.figures[figure];
  const groups = down.labels.map(() => across.labels.map(() => []));
  map.places.forEach((places, set) => {
    if (values[set] !== null) groups[map.axes[y] ? places[y] : 0][places[x]].push(values[set]);
  });
  const best = (group) => (isCost ? Math.min(...group) : Math.max(...group));
  const mean = (group) => group.reduce((sum, value) => sum + value, 0) / group.length;
  const shown = groups.map((row) =>
    row.map((group) => (group.length === 0 ? null : others === 1 ? best(group) : mean(group))),
  );
  const all = shown.flat().filter((value) => value !== null);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const table = document.createElement("table");
  table.className = "heat";
  addRow(table.createTHead(), "th", down.name === "" ? "" : `${down.name} \\ ${across.name}`, across.labels);
  const body = table.createTBody();
  shown.forEach((row, r) => {
    const cells = addRow(
      body,
      "td",
      down.labels[r],
      row.map((value) => (value === null ? "" : said(value, unit))),
    );
    cells.forEach((cell, c) => {
      const value = row[c];
      if (value === null) return;
      const part = high > low ? (value - low) / (high - low) : 0.5;
      cell.style.background = `color-mix(in srgb, var(--main) ${Math.round(6 + 58 * (isCost ? 1 - part : part))}%, transparent)`;
      cell.title = `${across.name} ${across.labels[c]}${down.name === "" ? "" : `, ${down.name} ${down.labels[r]}`}: ${said(value, unit)}, ${groups[r][c].length} sets`;
    });
  });
  box.replaceChildren(table);
  box.dataset.drawn = "yes";
  note.textContent =
    all.length === 0
      ? "no parameter set has this figure"
      : `from ${said(low, unit)} to ${said(high, unit)}; stronger is better, empty was not run or has no such figure`;
}

function addRow(part, tag, title, texts) {
  const cells = texts.map((text) => element(tag, { className: "n" }, text));
  part.insertRow().append(element("th", {}, title), ...cells);
  return cells;
}
