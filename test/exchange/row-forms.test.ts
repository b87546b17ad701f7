// The tables of docs/reference/row-forms.md, checked: each form of a payment row and of a mint row is read as the page says, or refused.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Money } from "../../src/domain/money/money.ts";
import type { Payment, SupplyChange } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import { listEndpoint } from "../../src/exchange/shape.ts";
import { read } from "../../src/exchange/wire/decoder.ts";
import { parseJson } from "../../src/exchange/wire/json.ts";

const PAGE = readFileSync("docs/reference/row-forms.md", "utf8");

/** Row and reading, from the table below a heading. */
function formsOf(heading: string): readonly (readonly [row: string, reading: string])[] {
  const [, below = ""] = PAGE.split(`## ${heading}\n`);
  return [...(below.split("\n#")[0]?.matchAll(/^\| `(\{.*\})` \| (.+) \|$/gm) ?? [])].map(
    ([, row = "", reading = ""]) => [row, reading],
  );
}

function rowOf<T>(
  list: "payments" | "supplyChanges",
  row: object,
  paymentAmounts: "none" | "gross" | "net" = "none",
): T | undefined {
  const json = parseJson(Buffer.from(JSON.stringify([row])));
  if (!json.ok) throw new Error(json.error);
  const profile = { ...presets.contract, paymentAmounts };
  const got = read(listEndpoint(list, { profile, priceDecimals: 6 }).answer, json.value, []);
  return got.ok ? (got.value as readonly T[])[0] : undefined;
}

const amount = (money: Money | undefined): string => (money === undefined ? "unstated" : `${money} ${money.asset}`);

function paymentText(row: object): string {
  const fields = { railid: "r", paymentid: "p", status: "settled", ...row };
  const told = (how: "none" | "gross" | "net"): string => {
    const one = rowOf<Payment>("payments", fields, how);
    if (one === undefined) return "refused";
    const net = one.isNet === true ? ", which arrived" : "";
    return one.odd === undefined ? `${amount(one.amount)}, fee ${amount(one.fee)}${net}` : "not booked";
  };
  if (rowOf<Payment>("payments", fields)?.isEither !== true) return told("none");
  return `not booked; gross: ${told("gross")}; net: ${told("net")}`;
}

function mintText(row: object): string {
  const one = rowOf<SupplyChange>("supplyChanges", row);
  if (one === undefined) return "refused";
  const { requestId = "", transactionId = "", quantity, spent, fee, status } = one;
  const cost = spent === undefined && fee === undefined ? "" : `, spent ${amount(spent)}, fee ${amount(fee)}`;
  return `${[requestId, transactionId].filter((id) => id !== "").join(" ")}: ${quantity ?? "unstated"} ${status}${cost}`;
}

describe.each([
  ["Forms of a payment row", 19, paymentText],
  ["Forms of a mint row", 16, mintText],
] as const)("%s", (heading, count, textOf) => {
  const forms = formsOf(heading);
  test("has them all", () => expect(forms).toHaveLength(count));
  test.each(forms)("%s", (row, reading) => {
    expect(textOf(JSON.parse(row))).toBe(reading);
  });
});
