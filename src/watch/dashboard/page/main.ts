// The page: asks the bot each second, draws what changed, and takes keys.

import type { PageData } from "../model.ts";
import { follow, onChange, SPANS, set, TABS, view } from "./app.ts";
import { Charts } from "./charts.ts";
import { Decision } from "./dialog.ts";
import { change, clock } from "./format.ts";
import { html, render } from "./preact.js";
import { shownRows, Tables, toggle } from "./tables.ts";
import { Bar, Figures, Limits, Machine, Needs, Positions, Prices } from "./top.ts";

const LINKS = {
  connecting: "connecting \u2026",
  quiet: "no answer for a moment",
  lost: "NO CONTACT with the bot. From here it cannot be stopped: use pegbot halt, the kill file or SIGUSR2",
  locked: "this bot shows itself with a token only",
};

function App({ data }: { readonly data: PageData | undefined }) {
  if (data === undefined)
    return html`<main><p class="empty">${LINKS[view.link === "live" ? "connecting" : view.link]}</p><${Decision} data=${data} /></main>`;
  const { at } = data.status;
  const stale =
    view.link === "live"
      ? ""
      : html`<p class="banner" id="link" role="alert">${LINKS[view.link]}; what is shown is of ${clock(at)} UTC</p>`;
  return html`<${Bar} data=${data} />${stale}
    ${view.isOutdated ? html`<p class="banner">The bot was updated: load this page again.</p>` : ""}
    <main>
      <${Figures} data=${data} />
      <section class="panel profit"><h2>Trading profit <span class="quiet">(0 = start of the span)</span>
        <span class="spans">${SPANS.map(([label], index) => html`<button type="button" aria-pressed=${String(index === view.span)} onClick=${() => set({ span: index })}>${label}</button>`)}</span></h2>
        <div id="chart-profit" role="img" aria-label="trading profit over time"></div></section>
      <${Positions} data=${data} />
      <section class="panel prices"><${Prices} data=${data} />
        <div id="chart-prices" role="img" aria-label="prices of ${view.pair} with what was paid"></div>
        <div id="chart-premium" role="img" aria-label="premium of ${view.pair} to fair value"></div></section>
      <div class="side"><${Needs} data=${data} /><${Limits} data=${data} /></div>
      <${Tables} data=${data} />
      <${Machine} data=${data} />
    </main><${Decision} data=${data} />`;
}

// Of a phone that was paired: taken out of the address, and kept in this page only.
const paired = /^#token=([0-9a-f]{64})$/.exec(location.hash)?.[1];
if (paired !== undefined) {
  history.replaceState(null, "", location.pathname);
  view.token = paired;
}

const root = document.getElementById("app") as HTMLElement;
root.replaceChildren();
const draw = () => render(html`<${App} data=${view.data} />`, root);
onChange(draw);

const charts = new Charts(({ clientOrderId }) => {
  set({ tab: "fills", filter: "", opened: new Set([clientOrderId]) });
  document.getElementById("tables")?.scrollIntoView();
});

function step(by: number): void {
  if (view.data === undefined) return;
  const rows = shownRows(view.data);
  const place = Math.max(0, Math.min(rows.length - 1, rows.findIndex(({ id }) => id === view.row) + by));
  // By its id: new rows move the others down.
  set({ row: rows[place]?.id ?? "" });
  document.getElementById(`row-${place}`)?.scrollIntoView({ block: "nearest" });
}

const KEYS: Readonly<Record<string, () => void>> = {
  ...Object.fromEntries(TABS.map((tab, index) => [String(index + 1), () => set({ tab, row: "", opened: new Set() })])),
  "[": () => set({ span: Math.max(0, view.span - 1) }),
  "]": () => set({ span: Math.min(SPANS.length - 1, view.span + 1) }),
  p() {
    const symbols = view.data?.pairs.map(({ symbol }) => symbol) ?? [];
    set({ pair: symbols[(symbols.indexOf(view.pair ?? "") + 1) % symbols.length] });
  },
  h: () => set({ dialog: { kind: "halt" }, problem: "" }),
  l: () => set({ allLimits: !view.allLimits }),
  "/": () => document.getElementById("filter")?.focus(),
  "?": () => set({ dialog: { kind: "help" } }),
  j: () => step(1),
  k: () => step(-1),
  Enter() {
    const row = view.data && shownRows(view.data).find(({ id }) => id === view.row);
    if (row !== undefined) toggle(row.id);
  },
};

addEventListener("keydown", (event) => {
  if (event.key === "Escape") set({ dialog: undefined, problem: "" });
  const { tagName } = event.target as HTMLElement;
  const isTyping = tagName === "INPUT" || view.dialog !== undefined || (tagName === "BUTTON" && event.key === "Enter");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const run = KEYS[event.key];
  if (run === undefined) return;
  event.preventDefault();
  run();
});

void follow(() => {
  const { data } = view;
  if (data === undefined) return;
  if (view.pair === undefined) set({ pair: (data.fills[0] ?? data.pairs[0])?.symbol });
  document.title = `${data.status.mode === "shadow" ? "SHADOW " : ""}${data.status.state.word} ${change(data.status.equity.today)} · pegbot`;
  document.body.dataset.fills = String(data.fills.length);
  Object.assign(document.body.dataset, { boot: data.boot, at: data.status.at });
  void charts.show(data);
});
