// The trades, newest first and not more than a person would read; the CSV has all of them.

import type { RunRecord } from "../../record/run-record.ts";
import { number, second } from "../format.ts";
import { type Html, html } from "../html.ts";
import { tradeRows } from "../trade-rows.ts";

const ROWS_MAX = 500;

export function tradeTable(record: RunRecord): Html {
  const { fills } = record;
  const rows = tradeRows(record, Math.max(0, fills.length - ROWS_MAX)).reverse();
  const cut =
    fills.length > ROWS_MAX
      ? html`<p class="note">The last ${number(ROWS_MAX, 0)} of ${number(fills.length, 0)} fills; the CSV of trades has all of them.</p>`
      : html``;
  if (fills.length === 0) return html`<h2>Trades</h2><p class="missing">nothing was traded</p>`;
  const titles = ["filled", "pair", "side", "size", "price", "quoted", "fair", "fee", "realised", "reason"];
  const numeric = new Set(["size", "price", "quoted", "fair", "fee", "realised"]);
  const head = titles.map((title) => html`<th class="${numeric.has(title) ? "n" : ""}" scope="col">${title}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr><td>${second(row.time)}</td><td>${row.symbol}</td><td>${row.side}</td><td class="n">${row.quantity}</td><td class="n">${price(row.price)}</td><td class="n">${price(row.touch)}</td><td class="n">${price(row.fair)}</td><td class="n">${amount(row.fee)} ${row.feeAsset}</td><td class="n">${row.realised === undefined ? "" : amount(row.realised)}</td><td>${row.reason}</td></tr>
`,
  );
  return html`<h2>Trades</h2>
${cut}<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Rounded for reading; the CSV is exact. */
function amount(text: string): string {
  return number(Number(text), 4);
}

function price(value: number): string {
  return Number.isFinite(value) ? value.toFixed(5) : "";
}
