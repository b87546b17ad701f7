// The budget strip: one cell for each of the last seconds, in the colour of what it was spent on.

import { byId, make, put, say } from "./dom.js";
import { clock, count, percent } from "./format.js";

const SECONDS = 120;
const CLASSES = [
  ["doubt", "at the start and for doubts"],
  ["kill-check", "after a kill"],
  ["order", "orders"],
  ["confirmation", "confirmations"],
  ["balance", "balances"],
  ["quote", "quotes"],
  ["treasury", "mints and rails"],
  ["other", "other"],
];
const WORDS = {
  "rate-limited": "refused for its pace",
  abandoned: "no answer",
  unspent: "not sent",
  answered: "answered",
};

export function showBudget(slots, at) {
  const now = Math.floor(at / 1_000);
  const bySecond = new Map();
  for (const slot of slots) bySecond.set(Math.floor(slot.at / 1_000), slot);
  const recent = slots.filter((slot) => slot.at / 1_000 > now - SECONDS);
  const cells = Array.from({ length: SECONDS }, (_, index) => cellOf(bySecond.get(now - SECONDS + 1 + index)));
  put(byId("strip"), ...cells);
  const spent = CLASSES.map(([name, label]) => [label, recent.filter((slot) => slot.class === name).length]);
  const said = spent.filter(([, times]) => times > 0).map(([label, times]) => `${label} ${times}`);
  byId("strip").setAttribute("aria-label", `the last ${SECONDS} seconds: ${said.join(", ") || "no request"}`);
  put(
    byId("strip-ends"),
    make("span", {}, `\u2212${SECONDS} s`),
    make("span", {}, `\u2212${SECONDS / 2} s`),
    make("span", {}, "now"),
  );
  const used = CLASSES.map(([name, label]) => [
    name,
    label,
    recent.filter((slot) => slot.class === name).length,
  ]).filter(([, , times]) => times > 0);
  put(
    byId("budget-keys"),
    ...used.map(([name, label, times]) =>
      make(
        "li",
        {},
        make("i", { class: `swatch k-${name}` }),
        `${label} ${count(times)} (${percent(times / recent.length)})`,
      ),
    ),
  );
  const slow = recent.length === 0 ? undefined : recent.reduce((sum, { tookMs }) => sum + tookMs, 0) / recent.length;
  say(
    byId("budget-note"),
    slow === undefined
      ? "no request yet"
      : `what each second was spent on; ${count(recent.length)} requests in ${SECONDS / 60} min, ${slow.toFixed(0)} ms each`,
  );
}

function cellOf(slot) {
  if (slot === undefined) return make("i");
  const { class: name, what, at, tookMs, waitedMs, end } = slot;
  const about = what === name ? name : `${name}, ${what}`;
  const title = `${clock(at)} ${about}: ${WORDS[end] ?? end} in ${tookMs.toFixed(0)} ms, waited ${waitedMs.toFixed(0)} ms`;
  return make("i", { class: `k-${name} end-${end}`, title });
}
