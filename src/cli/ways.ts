// The ways of a conversion as a table, the one that it begins with marked.

import type { Terminal } from "../app/terminal/terminal.ts";
import { amountText } from "../domain/amount-text.ts";
import { printable } from "../domain/sanitise.ts";
import { millis } from "../domain/time.ts";
import { durationText, utcText } from "../domain/time-text.ts";
import type { ShownConversion } from "../operation/convert.ts";
import { columns } from "./columns.ts";

export function showConversion(terminal: Terminal, shown: unknown): void {
  const { from, to, amount, isBuy, currency, by, costBpsMax, ways, closed } = shown as ShownConversion;
  const what = isBuy ? `${from} to ${amountText(amount)} ${to}` : `${amountText(amount)} ${from} to ${to}`;
  terminal.table(
    columns(`  ${what}`, ">steps", `>cost ${currency}`, ">at most", ">tied up", ">until", ">left"),
    ways.map((way) => [
      `${way.isChosen ? ">" : " "} ${way.routes.join(" and ")}`,
      String(way.steps),
      amountText(way.cost),
      `${way.bps.toFixed(1)} bp`,
      amountText(way.tiedUp),
      way.arrivesMs < 1_000 ? "at once" : `in ${durationText(way.arrivesMs)}`,
      amountText(way.missing),
    ]),
  );
  if (!ways.some(({ isChosen }) => isChosen)) terminal.print("none of these can begin now: it waits until one can");
  terminal.print(`no step costs more than ${costBpsMax} bp; it ends by ${utcText(millis(by))}`);
  for (const { name, reason } of closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
}
