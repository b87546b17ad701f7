// The month page of conversions: sums by currency and by route, each conversion, and the ways that were not taken.

import { amountText } from "../../domain/amount-text.ts";
import { durationText } from "../../domain/time-text.ts";
import { PARTS } from "../../treasury/conversion/cost.ts";
import type { Row, Sum, Sums } from "./rows.ts";

type Tables = Sums & { readonly conversions: readonly Row[] };
/** `>` before a title aligns it to the right. */
type Table = { readonly name: string; readonly titles: readonly string[]; readonly cells: readonly string[][] };

/** As in the CSV. */
const AGAINST = [">against par", ">against reference", ">against shown"];
const FIGURES = [">cost", ">bp", ...PARTS.map((part) => `>${part}`), ...AGAINST, ">value"];

export function tablesOf({ byCurrency, byRoute, conversions }: Tables): readonly Table[] {
  const sums = (name: string, rows: readonly Sum[]): Table => ({
    ...{ name, titles: [name, ...FIGURES, "in", ">count"] },
    cells: rows.map((row) => [row.name, ...figureCells(row), row.currency, String(row.count)]),
  });
  return [
    sums("by currency", byCurrency),
    sums("by route", byRoute),
    {
      name: "conversions",
      titles: ["began", "what", ...FIGURES, ">left", ">arrived", ">took", "end", "id"],
      cells: conversions.map((row) => [
        ...[timeText(row.at), `${row.from} to ${row.to}`, ...figureCells(row), amountText(row.left)],
        ...[amountText(row.arrived), durationText(row.tookMs), row.state, row.id],
      ]),
    },
  ];
}

function figureCells(row: Row | Sum): string[] {
  const { cost, bps, againstPar, againstReference, againstShown, value } = row;
  const amounts = [...PARTS.map((part) => row[part]), againstPar, againstReference, againstShown, value];
  return [amountText(cost), bps.toFixed(1), ...amounts.map((amount) => amountText(amount))];
}

function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** Of each conversion: what every way would have cost when it was asked for. */
function waysOf(conversions: readonly Row[]): Table {
  const sorted = (routes: readonly string[]): string => routes.toSorted().join(" and ");
  const cells = conversions.flatMap(({ at, id, routes, ways }) => {
    const taken = sorted(routes.map(({ route }) => route));
    // The same routes in another order are one way.
    const each = new Map(ways.toReversed().map((way) => [sorted(way.routes), way]));
    return [...each]
      .reverse()
      .map(([routes, way]) => [
        ...[timeText(at), amountText(way.cost), way.bps.toFixed(1)],
        way.arrivesMs < 1_000 ? "at once" : `in ${durationText(way.arrivesMs)}`,
        ...[way.routes.join(" and "), routes === taken ? "taken" : "", id],
      ]);
  });
  return { name: "ways, at their prices then", titles: ["began", ">cost", ">bp", ">until", "way", "", "id"], cells };
}

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:100em;padding:0 1em}
h2{font-size:1.1em;margin:2em 0 0}p{max-width:46em}div{overflow-x:auto}table{border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums}
td,th{padding:.3em .7em;text-align:left;border-bottom:1px solid #8884;white-space:nowrap}.n{text-align:right}th{font-weight:600}
td:first-child,th:first-child{padding-left:0}`;

export const ABOUT = `Cost is against fair value when a conversion was asked for: spread, impact, fees, waiting and carry sum to it. Waiting is how the
price shown had moved when an order was sent, impact what was paid beyond it, carry the price of capital on its way. Against par,
reference and shown is what was paid beyond par, beyond that fair value with carry left out, and beyond all of it by orders at the prices shown at
first, whatever their size. Below zero is a gain.`;

export function conversionsPage(environment: string, tables: Tables): string {
  const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const drawn = ({ name, titles, cells }: Table): string => {
    const row = (of: readonly string[], tag: string): string => {
      const marked = of.map(
        (cell, i) => `<${tag}${titles[i]?.startsWith(">") ? ' class="n"' : ""}>${escaped(cell)}</${tag}>`,
      );
      return `<tr>${marked.join("")}</tr>`;
    };
    const heads = row(
      titles.map((title) => title.replace(/^>/, "")),
      "th",
    );
    return `<h2>${name}</h2><div><table>${heads}${cells.map((one) => row(one, "td")).join("\n")}</table></div>`;
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Conversions</title>
<style>${STYLE}</style><h1>Conversions</h1><p>Environment: ${escaped(environment)}. ${ABOUT}</p>
${[...tablesOf(tables), waysOf(tables.conversions)].map(drawn).join("\n")}</html>`;
}
