// One decision as a person reads it: what was seen, which rule spoke and how much room the fullest limits left, the slot,
// and what became of it. An opened row of the page and `pegbot why` show these lines.

import type { ShownDecision } from "../../status.ts";
import { age, clock, price } from "./format.ts";

/** A refused decision has no order and goes by its moment. */
export function decisionId({ clientOrderId, at, symbol }: Pick<ShownDecision, "clientOrderId" | "at" | "symbol">) {
  return clientOrderId ?? `${at}:${symbol}`;
}

export type Explained = readonly (readonly [label: string, text: string])[];

export function explained(one: ShownDecision): Explained {
  const { side, size, symbol, limit, outcome, times, reason, bid, ask, fair, ageMs, note, room, trail } = one;
  const lines: Explained = [
    ["id", decisionId(one)],
    ["order", side === "" ? "an answer that is no order" : `${side} ${size} ${symbol} at ${limit}`],
    ["why", reason],
    ["quote", `${price(bid)} / ${price(ask)}${ageMs === undefined ? "" : `, ${age(ageMs)} old`}; fair ${price(fair)}`],
    ["rules", outcome === "refused" ? `refused by ${note}${times > 1 ? `, ${times} times` : ""}` : "all passed"],
    ["note", outcome === "refused" ? "" : note],
    ["room", room ?? ""],
    ["became", trail.map(({ at, what }) => `${clock(at)} ${what}`).join(", ")],
  ];
  return lines.filter(([, text]) => text !== "");
}
