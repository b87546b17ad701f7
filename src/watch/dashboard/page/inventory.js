// What is held, on one scale for all assets: free, reserved by open orders, on its way, and the floor that is never spent.

import { byId, empty, make, put, say } from "./dom.js";
import { amount, percent, quantity } from "./format.js";

const PARTS = [
  ["free", "free"],
  ["reserved", "reserved by orders"],
  ["flight", "on its way"],
];

export function showInventory({ holdings, equity, worth }) {
  say(byId("inventory-note"), worth === undefined ? "" : worthText(worth));
  const rows = byId("inventory-rows");
  if (holdings.length === 0) {
    put(rows, empty("nothing is known of the account yet"));
    put(byId("inventory-keys"));
    return;
  }
  const scaled = holdings.map((holding) => ({ holding, parts: partsOf(holding) }));
  const widthOf = ({ free, reserved, flight, edges }) =>
    Math.max(free + reserved + flight, ...edges.map(([, worth]) => worth));
  const widest = Math.max(1e-9, ...scaled.map(({ parts }) => widthOf(parts)));
  const total = totalOf(holdings);
  const heads = ["asset", "held", "reserved, on its way", equity.currency, "share"];
  const head = make(
    "div",
    { class: "holding heads", role: "row" },
    ...heads.map((text, index) => make("span", { role: "columnheader", class: index === 0 ? undefined : "n" }, text)),
  );
  const body = scaled.map((one) => row(one, widest, total));
  put(rows, make("div", { role: "table", "aria-label": "inventory" }, head, ...body));
  const shown = PARTS.filter(([name]) => name === "free" || scaled.some(({ parts }) => parts[name] > 0));
  const keys = shown.map(([name, label]) => make("li", {}, make("i", { class: `swatch part-${name}` }), label));
  const key = (kind, label) => make("li", {}, make("i", { class: `swatch edge-${kind}` }), label);
  if (scaled.some(({ parts }) => parts.floor > 0)) keys.push(key("floor", "floor"));
  if (scaled.some(({ parts }) => parts.edges.length > 0)) keys.push(key("low", "band"), key("target", "target"));
  put(byId("inventory-keys"), ...keys);
}

function worthText({ cash, tokens, inFlight, cautious }) {
  const away = Number(inFlight) === 0 ? "" : `, ${amount(inFlight)} on its way, ${amount(cautious)} counted cautiously`;
  return `${amount(cash)} in cash, ${amount(tokens)} in coins${away}`;
}

/** Undefined while one of them has no rate: a part of what is not known is not known either. */
export function totalOf(holdings) {
  const values = holdings.map(({ held, value }) => (Number(held) === 0 ? "0" : value));
  return values.includes(undefined) ? undefined : values.reduce((sum, value) => sum + Number(value), 0);
}

/** In the currency of the limits; without a rate nothing can be drawn. */
function partsOf({ held, reserved, pending, inFlight, floor, band = {}, value }) {
  const size = Number(held ?? 0);
  const rate = value === undefined || size === 0 ? 0 : Number(value) / size;
  const worth = (text) => Math.max(0, Number(text ?? 0)) * rate;
  // What is on its way is owned already; what the venue calls pending may be the same money.
  const away = Number(inFlight) > 0 ? Number(inFlight) : 0;
  const free = Math.max(0, size - Number(reserved) - away) * rate;
  const flight = away > 0 ? away * rate : worth(pending);
  const edges = ["low", "target", "high"]
    .filter((name) => band[name] !== undefined)
    .map((name) => [name, worth(band[name])]);
  return { free, reserved: worth(reserved), flight, floor: worth(floor), value: Number(value ?? 0), edges };
}

function row({ holding, parts }, widest, total) {
  const { asset, held, value, pending, inFlight, mayCome, reserved, band } = holding;
  const bar = make("div", { class: "stack", "aria-hidden": "true" });
  for (const [name] of PARTS)
    if (parts[name] > 0) bar.append(sized(make("i", { class: `part-${name}` }), parts[name] / widest));
  if (parts.floor > 0) bar.append(tick("floor", `floor ${quantity(holding.floor)} ${asset}`, parts.floor / widest));
  for (const [name, worth] of parts.edges)
    bar.append(tick(name, `${name} ${quantity(band[name])} ${asset}`, worth / widest));
  const away = awayOf(holding);
  const isOurs = Number(inFlight) + Number(mayCome) > 0;
  const parted = [
    [reserved, "reserved by orders"],
    [inFlight, "minted and not there yet"],
    [mayCome, "of a mint that is not in the books yet"],
    [pending, isOurs ? "pending at the venue, which may be the same" : "pending at the venue"],
  ]
    .filter(([text]) => Number(text ?? 0) > 0)
    .map(([text, words]) => `${quantity(text)} ${words}`);
  const share = total === undefined ? "?" : total > 0 && value !== undefined ? percent(parts.value / total, 1) : "";
  return make(
    "div",
    { class: "holding", role: "row" },
    make("span", { class: "asset", role: "rowheader" }, asset),
    make("span", { class: "n", role: "cell" }, quantity(held)),
    make(
      "span",
      { class: "n quiet", role: "cell", title: parted.join(", ") || undefined },
      away > 0 ? quantity(plain(away)) : "",
    ),
    make("span", { class: "n", role: "cell" }, value === undefined ? "no rate" : amount(value)),
    make("span", { class: "n quiet", role: "cell" }, share),
    bar,
  );
}

/** What the venue calls pending may be our own mints: counted once, with only the excess added. */
export function awayOf({ reserved, pending, inFlight, mayCome }) {
  return Number(reserved) + Math.max(Number(pending ?? 0), Number(inFlight) + Number(mayCome));
}

/** A sum for the eye; without an exponent, and of so many digits as a number has: what is cut off next must be no noise. */
export function plain(value) {
  const whole = Math.trunc(value).toString().length;
  return value.toFixed(Math.max(0, Math.min(12, 15 - whole)));
}

/** A line across the bar. */
function tick(kind, title, part) {
  const line = make("b", { class: `edge edge-${kind}`, title });
  line.style.left = `${Math.max(0, Math.min(1, part)) * 100}%`;
  return line;
}

function sized(element, part) {
  element.style.width = `${Math.max(0, Math.min(1, part)) * 100}%`;
  return element;
}
