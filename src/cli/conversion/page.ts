// The month page of conversions: sums by currency and by route, each conversion, and the ways that were not taken.

import { amountText } from "../../domain/amount-text.ts";
import { durationText } from "../../domain/time-text.ts";
import { PARTS } from "../../treasury/conversion/cost.ts";
import type { Row, Sum, Sums } from "./rows.ts";

type Tables = Sums & { readonly conversions: readonly Row[] };
/** `>` before a title aligns it to the right. */
type Table = { readonly name: string; readonly titles: readonly string[]; readonly cells: readonly string[][] };

const FIGURES = [">value", ">cost", ">bp", ...PARTS.map((part) => `>${part}`)];
const AGAINST = [">against par", ">reference", ">shown"];

export function tablesOf({ byCurrency, byRoute, conversions }: Tables): readonly Table[] {
  const sums = (name: string, rows: readonly Sum[]): Table => ({
    ...{ name, titles: [name, ">moved", ...FIGURES, ...AGAINST] },
    cells: rows.map((row) => [
      `${row.name}, ${row.currency}`,
      String(row.count),
      ...figureCells(row),
      ...againstCells(row),
    ]),
  });
  return [
    sums("by currency", byCurrency),
    sums("by route", byRoute),
    {
      name: "conversions",
      titles: ["began", "id", "from", "to", ">left", ">arrived", ...FIGURES, ...AGAINST, ">took", "end"],
      cells: conversions.map((row) => [
        ...[timeText(row.at), row.id, row.from, row.to, amountText(row.left), amountText(row.arrived)],
        ...[...figureCells(row), ...againstCells(row), durationText(row.tookMs), row.state],
      ]),
    },
  ];
}

function figureCells(row: Row | Sum): string[] {
  const { value, cost, bps } = row;
  return [amountText(value), amountText(cost), bps.toFixed(1), ...PARTS.map((part) => amountText(row[part]))];
}

function againstCells({ againstPar, againstReference, againstShown }: Row | Sum): string[] {
  return [againstPar, againstReference, againstShown].map((amount) => amountText(amount));
}

function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** Of each conversion: what every way would have cost when it was asked for. */
function waysOf(conversions: readonly Row[]): Table {
  const cells = conversions.flatMap(({ at, id, routes, ways }) => {
    const taken = routes.map(({ route }) => route);
    return ways.map((way) => [
      ...[timeText(at), id, way.routes.join(" and "), amountText(way.cost), way.bps.toFixed(1)],
      way.arrivesMs < 1_000 ? "at once" : `in ${durationText(way.arrivesMs)}`,
      way.routes.every((route) => taken.includes(route)) ? "taken" : "",
    ]);
  });
  return { name: "ways, at their prices then", titles: ["began", "id", "way", ">cost", ">bp", ">until", ""], cells };
}

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:100em;padding:0 1em}
h2{font-size:1.1em;margin:2em 0 0}p{max-width:46em}div{overflow-x:auto}table{border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums}
td,th{padding:.3em .7em;text-align:left;border-bottom:1px solid #8884;white-space:nowrap}.n{text-align:right}th{font-weight:600}
td:first-child,th:first-child{padding-left:0}`;

const ABOUT = `Cost is against fair value when a conversion was asked for: spread, impact, fees, waiting and carry sum to it. Waiting is how the
price shown had moved when an order was sent, impact what was paid beyond it, carry the price of capital on its way. Below zero is a gain.
Against shown is against all of it by orders at the prices shown at first, whatever their size.`;

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
<style>${STYLE}</style><h1>Conversions</h1><p>${escaped(environment)}. ${ABOUT}</p>
${[...tablesOf(tables), waysOf(tables.conversions)].map(drawn).join("\n")}</html>`;
}
