// Fills, decisions, refusals, orders, conversions and notes: one table at a time, filtered, opened row by row, and saved
// as CSV.

import type { ShownDecision } from "../../status.ts";
import type { PageData } from "../model.ts";
import { set, TABS, view } from "./app.ts";
import { decisionId, explained } from "./explain.ts";
import { age, amount, bps, change, moment, price } from "./format.ts";
import { html, useMemo } from "./preact.js";

type Cell = string | number;

const TONES: Readonly<Record<string, string>> = {
  ...{ buy: "buy", sell: "sell", filled: "gain", confirmed: "gain" },
  ...{ doubt: "loss", escalated: "loss", rejected: "loss" },
};

export type Row = {
  readonly id: string;
  readonly cells: readonly Cell[];
  readonly tone: string;
  readonly more: readonly string[];
};
type Table = { readonly heads: readonly string[]; readonly rows: readonly Row[] };

/** Heads that start with `>` are of figures. */
function tableOf(data: PageData): Table {
  const { status, fills, settlements } = data;
  const { at: now, decisions, open, notes, treasury } = status;
  const more = (one: ShownDecision | undefined) =>
    one === undefined ? [] : explained(one).map(([label, text]) => `${label}: ${text}`);
  const stateOf = ({ id, state }: { id: string; state: string }) => {
    const known = open.find((one) => one.id === id);
    return known === undefined ? state : (known.venueWord ?? known.state);
  };
  const row = (id: string, cells: readonly Cell[], more: readonly string[], tone = ""): Row => ({
    id,
    cells,
    more,
    tone,
  });
  switch (view.tab) {
    case "fills":
      return {
        heads: "time,pair,side,>size,>paid,>fair,>edge bp,>fee,>realised,>10 s,>10 min,why".split(","),
        rows: fills.map((one) => {
          const { clientOrderId: id, side, realised, reason = "" } = one;
          const decision = decisions.find(({ clientOrderId }) => clientOrderId === id);
          const what = [moment(one.at, now), one.symbol, side, amount(one.size), price(one.price), price(one.fair)];
          const came = [bps(one.edgeBps), amount(one.fee), realised === undefined ? "" : change(realised)];
          const legs = `bought ${one.bought} ${one.boughtAsset} for ${one.sold} ${one.soldAsset}, fee ${one.fee} ${one.feeAsset}, worth ${amount(one.value)}`;
          const cells = [...what, ...came, bps(one.after10s), bps(one.after10m), reason];
          return row(id, cells, [legs, ...(decision === undefined ? [id] : more(decision))], side);
        }),
      };
    case "decisions":
    case "refusals":
      return {
        heads: ["time", "order", ">limit", "became", "why"],
        rows: decisions
          .filter(({ outcome }) => view.tab === "decisions" || outcome === "refused")
          .map((one) => {
            const became = `${one.outcome}${one.times > 1 ? ` x${one.times}` : ""}`;
            const order = [moment(one.at, now), `${one.side} ${one.size} ${one.symbol}`, one.limit];
            const cells = [...order, became, one.note === "" ? one.reason : one.note];
            return row(decisionId(one), cells, more(one), one.outcome);
          }),
      };
    case "orders":
      return {
        heads: ["what", "state", ">since", "venue"],
        rows: open.map((one) => {
          const { id, kind, since, venueWord = "" } = one;
          const what = kind === "order" ? one.what : `${kind} ${one.what}`;
          const cells = [what, one.state, since === undefined ? "" : age(now - since), venueWord];
          const known = [one.cause, one.venueReason, one.venueId, one.decide].filter((text) => text !== undefined);
          return row(id, cells, [id, ...known], one.isDoubt ? "doubt" : "");
        }),
      };
    case "conversions":
      return {
        heads: ["begun", "what", "state", ">took"],
        rows: [
          ...(treasury?.plans ?? []).map(({ id, at, steps, approvedBy, persons }) => {
            const approved = `${approvedBy.length} of ${persons} approved`;
            return row(id, [moment(at, now), steps.join("; "), approved, ""], [id], "doubt");
          }),
          ...(treasury?.conversions ?? []).map(({ id, from, to, waitsFor, until, ...one }) => {
            const part = `${amount(one.isBuy ? one.arrived : one.left)} of ${amount(one.amount)}`;
            const state = waitsFor === undefined ? "under way" : "waits";
            const cells = [
              "",
              `${part} ${from} to ${to}, lost ${amount(one.lost)}`,
              state,
              `until ${moment(until, now)}`,
            ];
            return row(id, cells, [
              `waits for ${waitsFor ?? "nothing"}`,
              `pegbot conversion ${id} --pause or --finish`,
            ]);
          }),
          ...(treasury?.instructions ?? []).map(({ name, what, next, waitsFor = "its time" }) =>
            row(name, [moment(next, now), what, `next then; waits for ${waitsFor}`, ""], [`conversions.${name}`]),
          ),
          ...settlements.toReversed().map((one) => {
            const { id, kind, what, from, to = now } = one;
            return row(id, [moment(from, now), `${kind} ${what}`, stateOf(one), age(to - from)], [id]);
          }),
        ],
      };
    case "notes":
      return {
        heads: ["time", "note"],
        rows: notes.map(({ at, text }, index) => row(`${at} ${index}`, [moment(at, now), text], [text])),
      };
  }
}

export function shownRows(data: PageData): readonly Row[] {
  const wanted = view.filter.toLowerCase();
  const { rows } = tableOf(data);
  return wanted === "" ? rows : rows.filter(({ cells }) => cells.join(" ").toLowerCase().includes(wanted));
}

export function toggle(id: string): void {
  const opened = new Set(view.opened);
  if (!opened.delete(id)) opened.add(id);
  set({ opened });
}

/** What a table is made of: the same second after second, most of the time. */
function madeOf({ status, fills, settlements }: PageData): string {
  const { at, decisions, open, notes, treasury } = status;
  const { tab, filter, row, opened } = view;
  const now = tab === "orders" || tab === "conversions" ? at : Math.floor(at / 86_400_000);
  const rows = tab === "fills" ? fills : tab === "notes" ? notes : [open, treasury, settlements];
  return JSON.stringify([tab, filter, row, [...opened], now, rows, decisions]);
}

export function Tables({ data }: { readonly data: PageData }) {
  return useMemo(() => drawn(data), [madeOf(data)]);
}

type RowShown = {
  readonly row: Row;
  readonly place: number;
  readonly isFigure: readonly boolean[];
  readonly toned: number;
};

/** Drawn anew only where its own cells have changed. */
function RowView({ row: { id, cells, tone }, place, isFigure, toned }: RowShown) {
  const [isOpen, isHere] = [view.opened.has(id), id === view.row];
  return useMemo(
    () =>
      html`<tr id="row-${place}" class="${tone === "refused" ? "t-refused" : ""} ${isHere ? "here" : ""}" onClick=${() => toggle(id)}>${cells.map(
        (cell, index) =>
          index === 0
            ? html`<td><button type="button" class="plain" aria-expanded=${String(isOpen)}>${cell}</button></td>`
            : html`<td class="${isFigure[index] ? "n" : ""} ${index === toned ? (TONES[tone] ?? "") : ""}">${cell}</td>`,
      )}</tr>`,
    [id, place, tone, isOpen, isHere, cells.join("\0")],
  );
}

function drawn(data: PageData) {
  const { heads } = tableOf(data);
  const rows = shownRows(data);
  const isFigure = heads.map((head) => head.startsWith(">"));
  const toned = { fills: 2, decisions: 3, refusals: 3, orders: 1, conversions: 2, notes: 0 }[view.tab];
  const refused = data.status.decisions.filter(({ outcome }) => outcome === "refused").length;
  return html`<section class="panel tables" id="tables">
    <div class="tabs"><div role="tablist" aria-label="tables">${TABS.map(
      (
        tab,
        index,
      ) => html`<button type="button" role="tab" id="tab-${tab}" key=${tab} aria-selected=${String(view.tab === tab)} aria-controls="rows" aria-keyshortcuts=${index + 1}
        onClick=${() => set({ tab, row: "", opened: new Set() })}>${tab}${tab === "refusals" && refused > 0 ? ` (${refused})` : ""}</button>`,
    )}</div>
      <input id="filter" type="search" aria-label="filter" placeholder="filter ( / )" value=${view.filter} onInput=${(event: InputEvent) => set({ filter: (event.target as HTMLInputElement).value, row: "" })} />
      <button type="button" id="csv" onClick=${() => save(heads, rows)}>csv</button></div>
    <div id="rows" class="scroll" role="tabpanel" aria-labelledby="tab-${view.tab}" tabindex="0">
      ${rows.length === 0 ? html`<p class="empty">${view.tab === "conversions" ? "none under way; pegbot journal conversions has those that ended" : "none so far"}</p>` : ""}
      <table hidden=${rows.length === 0}><thead><tr>${heads.map((head, index) => html`<th class=${isFigure[index] ? "n" : ""}>${head.replace(">", "")}</th>`)}</tr></thead>
      <tbody>${rows.map((row, place) => {
        const { id, more } = row;
        return [
          html`<${RowView} key=${id} row=${row} place=${place} isFigure=${isFigure} toned=${toned} />`,
          view.opened.has(id)
            ? html`<tr key="${id} more" class="more"><td colspan=${heads.length}>${more.map((line) => html`<p>${line}</p>`)}</td></tr>`
            : "",
        ];
      })}</tbody></table></div></section>`;
}

function save(heads: readonly string[], rows: readonly Row[]): void {
  const quoted = (cell: Cell) =>
    `"${String(cell)
      .replaceAll('"', '""')
      .replace(/^[=+@]/, "'$&")}"`;
  const text = [heads.map((head) => head.replace(">", "")), ...rows.map(({ cells }) => cells)]
    .map((cells) => cells.map(quoted).join(","))
    .join("\n");
  const link = document.createElement("a");
  link.href = `data:text/csv;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
  link.download = `pegbot-${view.tab}.csv`;
  link.click();
}
