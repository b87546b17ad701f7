// What each pair brought, in a table of its own.

import { pairFigures } from "../../metric/trades.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { basisPoints, money, number } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";

const NOT_AVAILABLE = "n/a";

export function pairTable(record: RunRecord): Html {
  const pairs = pairFigures(record);
  if (pairs.length === 0) return NOTHING;
  const { currency } = record.settings;
  const titles = [
    "pair",
    "venue's prices",
    "fills",
    "buys",
    "sells",
    "not filled",
    "turnover",
    "edge",
    "edge captured",
  ];
  const head = [...titles, "realised"].map(
    (title, place) => html`<th class="${place < 2 ? "" : "n"}" scope="col">${title}</th>`,
  );
  const body = pairs.map((one) => {
    const cells = [
      number(one.fills, 0),
      number(one.buys, 0),
      number(one.sells, 0),
      number(one.unfilled, 0),
      money(one.turnover, currency),
      one.capturedBps === undefined ? NOT_AVAILABLE : basisPoints(one.capturedBps),
      one.capturedBps === undefined ? NOT_AVAILABLE : money(one.captured, currency),
      one.realised === undefined ? NOT_AVAILABLE : money(one.realised, currency),
    ];
    return html`<tr><th scope="row">${one.symbol}</th><td>${one.prices ?? ""}</td>${cells.map((cell) => html`<td class="n">${cell}</td>`)}</tr>
`;
  });
  return html`<h2>Pairs</h2>
<div class="scroll flat"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
