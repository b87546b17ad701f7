// The tape: every decision with its reason and what became of it, refusals too. A refusal that comes again and again is one
// line with a count.

import { byId, choice, make, putRows, say } from "./dom.js";
import { count, moment } from "./format.js";

const FILTERS = [
  { key: "all", label: "all" },
  { key: "orders", label: "orders" },
  { key: "refused", label: "refusals" },
];

let filter = "all";
let latest = [];
let now = 0;

export function openTape() {
  choice(byId("tape-filter"), FILTERS, filter, (key) => {
    filter = key;
    showTape(latest, now);
  });
}

export function showTape(decisions, at) {
  latest = decisions;
  now = at;
  const shown = decisions.filter(
    ({ outcome }) => filter === "all" || (outcome === "refused") === (filter === "refused"),
  );
  say(byId("tape-note"), decisions.length === 0 ? "" : `the last ${count(shown.length)}`);
  if (shown.length === 0) {
    const text = latest.length === 0 ? "the strategy has proposed nothing yet" : "none of these";
    putRows(
      byId("tape-rows"),
      [text],
      () => text,
      () => make("tr", {}, make("td", { colspan: "7", class: "empty" }, text)),
    );
    return;
  }
  const keyOf = ({ at, clientOrderId, symbol, side, outcome, note, times }) =>
    [moment(at, now), clientOrderId, symbol, side, outcome, note, times].join("|");
  putRows(byId("tape-rows"), shown, keyOf, row);
}

function row({ at, symbol, side, size, limit, reason, outcome, note, times }) {
  const became = times > 1 ? `${outcome} \u00d7${count(times)}` : outcome;
  const line = make(
    "tr",
    { title: note === "" ? reason : `${reason}; ${note}` },
    make("td", { class: "time" }, moment(at, now)),
    make("td", { class: `side side-${side === "buy" || side === "sell" ? side : "none"}` }, side),
    make("td", { class: "n" }, figure(size)),
    make("td", { class: "pair" }, symbol),
    make("td", { class: "n" }, figure(limit)),
    make("td", {}, make("span", { class: "badge", "data-outcome": outcome }, became)),
    make(
      "td",
      { class: "why" },
      make(
        "button",
        { type: "button", class: "told", "aria-expanded": "false" },
        make("span", {}, reason),
        note === "" ? undefined : make("span", { class: "quiet" }, note),
      ),
    ),
  );
  // Anywhere on the line, and by keys on its last part.
  line.addEventListener("click", () =>
    line.querySelector("button").setAttribute("aria-expanded", String(line.classList.toggle("whole"))),
  );
  return line;
}

/** As exact as it is, thousands apart; a signal without its float noise. */
function figure(text) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const [whole, part] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? grouped : `${grouped}.${part.slice(0, 6)}`;
}
