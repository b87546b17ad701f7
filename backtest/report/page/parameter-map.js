// The heat map of two parameters: a table that is filled anew whenever the reader chooses others. Stronger is better.

import { said } from "../../../src/watch/chart/page/format.js";

const map = JSON.parse(document.querySelector("#data").textContent);
const choices = ["#map-x", "#map-y", "#map-figure", "#map-others"].map((id) => document.querySelector(id));

function fillMap() {
  const [x, y, figure] = choices.map(({ value }) => Number(value));
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
    row.map((group) => (group.length === 0 ? null : choices[3].value === "best" ? best(group) : mean(group))),
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
  document.querySelector("#map").replaceChildren(table);
  document.querySelector("#map-note").textContent =
    all.length === 0
      ? "no parameter set has this figure"
      : `from ${said(low, unit)} to ${said(high, unit)}; stronger is better, empty was not run or has no such figure`;
}

function addRow(part, tag, title, texts) {
  const row = part.insertRow();
  const head = row.appendChild(document.createElement("th"));
  head.textContent = title;
  return texts.map((text) => {
    const cell = row.appendChild(document.createElement(tag));
    cell.className = "n";
    cell.textContent = text;
    return cell;
  });
}

for (const choice of choices) choice.addEventListener("change", fillMap);
fillMap();
document.querySelector("#map").dataset.drawn = "yes";
