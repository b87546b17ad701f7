// The first ten seconds: the word of the state with why and what frees it, six figures, positions with their limits, what
// needs a person, how full the limits are, the machine in one line.

import type { PageData } from "../model.ts";
import { act, set, view } from "./app.ts";
import { age, amount, bps, change, clock, moment, price, short, toneOf } from "./format.ts";
import { html } from "./preact.js";

type Data = { readonly data: PageData };

const TONES: Readonly<Record<string, string>> = {
  ...{ ACTIVE: "gain", IDLE: "main-ink", STARTING: "main-ink" },
  ...{ CAPPED: "warn", PAUSED: "warn", FROZEN: "warn", REDUCED: "warn", UNKNOWN: "warn" },
};

export function Bar({ data }: Data) {
  const { status } = data;
  const { state, mode, environment, at, market } = status;
  const isHeard = view.link === "live";
  const isPaused = status.unready.length > 0 && state.word === "ACTIVE";
  const tone = !isHeard ? "quiet" : isPaused ? "warn" : (TONES[state.word] ?? "loss");
  return html`<header>
    <h1>pegbot</h1>
    <p class="state" id="state" role="status">
      <strong class=${tone}><b>${isHeard ? state.word : `was ${state.word}`}</b></strong>
      ${state.since !== undefined && state.word !== "ACTIVE" ? html`<span> since ${moment(state.since, at)}</span>` : ""}
      ${state.why === "" ? "" : html`<span class="why">${state.why}</span>`}
      ${state.frees === "" ? "" : html`<span class="frees">frees it: ${state.frees}</span>`}
    </p>
    <p class="chip ${mode}" id="market">${mode === "live" ? `LIVE ${environment}` : mode.toUpperCase()}${market === undefined ? "" : ` · ${market}`}</p>
    <div class="tools">
      <button type="button" id="help" aria-keyshortcuts="?" onClick=${() => set({ dialog: { kind: "help" } })}>?</button>
      ${
        status.standing.state === "ACTIVE"
          ? ""
          : html`<button type="button" id="resume" onClick=${() => set({ dialog: { kind: "resume" }, problem: "" })}>Resume</button>`
      }
      <button type="button" id="halt" class="halt" aria-keyshortcuts="h" onPointerDown=${hold} onPointerUp=${letGo} onPointerLeave=${letGo}
        onContextMenu=${(event: Event) => event.preventDefault()} onClick=${() => set({ dialog: { kind: "halt" }, problem: "" })}>HALT</button>
    </div>
  </header>`;
}

const HOLD_MS = 1_000;
let holding: ReturnType<typeof setTimeout> | undefined;

/** A finger that stays for a second halts without a question, where the token is known. */
function hold({ pointerType }: PointerEvent): void {
  if (pointerType !== "touch") return;
  holding = setTimeout(() => {
    set({ dialog: { kind: "halt" }, problem: "" });
    if (view.token !== undefined) void act("/api/halt", { reason: "held on the page" }, view.token);
  }, HOLD_MS);
}

function letGo(): void {
  clearTimeout(holding);
}

export function Figures({ data: { status } }: Data) {
  const { equity, counts, open, totals } = status;
  const { sources, currency, edgePerRequest: each } = equity;
  const digits = each === undefined || each === 0 || Math.abs(each) >= 0.001 ? 4 : 7;
  const doubts = open.filter(({ isDoubt }) => isDoubt).length;
  const worth = `at mid ${amount(equity.atMid)}, at par ${amount(equity.atPar)}; since the journal began: realised ${change(totals?.realised)}, open ${change(totals?.unrealised)}, FX ${change(totals?.fx)}`;
  const part = (name: string, exact: string | undefined) =>
    html`<span>${name} <b class=${toneOf(exact)}>${change(exact)}</b></span>`;
  return html`<dl class="figures" id="figures">
    <div class="today"><dt>Today, ${currency}</dt><dd class=${toneOf(equity.today)} id="today">${change(equity.today)}</dd>
      <dd class="parts" id="parts">${sources === undefined ? (equity.today === undefined ? "" : "its parts count from the next UTC day") : [part("trading", sources.trading), part("opening", sources.opening), part("FX", sources.fx)]}</dd></div>
    <div title=${worth}><dt>Value, ${currency}</dt><dd id="value">${amount(equity.now ?? equity.priced)}</dd>
      ${equity.now === undefined ? html`<dd class="parts warn">${equity.missing}</dd>` : ""}</div>
    <div><dt>Fills</dt><dd id="fills">${counts.fills}</dd><dd class="parts" id="trips">${counts.roundTrips} round trip${counts.roundTrips === 1 ? "" : "s"}</dd></div>
    <div><dt>Refused</dt><dd>${counts.refused}</dd></div>
    <div><dt>Unknown</dt><dd class=${doubts > 0 ? "loss" : ""} id="unknown">${doubts}</dd></div>
    <div title="edge over fair value that fills captured, for each request of any kind"><dt>Edge per request, ${currency}</dt><dd>${change(each?.toFixed(digits), digits)}</dd></div>
  </dl>`;
}

export function Positions({ data: { status } }: Data) {
  const { holdings, limits, equity } = status;
  const limit = limits.find(({ key }) => key === "asset-exposure")?.limit;
  return html`<section class="panel positions"><h2>Positions</h2><div class="scroll" tabindex="0" role="region" aria-label="positions"><table>
    <thead><tr><th>asset</th><th class="n">held</th><th class="n">free</th><th class="n">value, ${equity.currency}</th><th>of its limit</th></tr></thead>
    <tbody>${holdings.map(({ asset, held, available, reserved, inFlight, value, band }) => {
      const part =
        asset === equity.currency || limit === undefined || Number.isNaN(limit) || value === undefined
          ? undefined
          : Number(value) / limit;
      const free = available === undefined ? undefined : String(Number(available) - Number(reserved));
      const more = `${inFlight === "0" ? "" : `in flight ${amount(inFlight)}; `}${band === undefined ? "" : `target ${amount(band.low, 0)} \u2013 ${amount(band.high, 0)}`}`;
      return html`<tr title=${more}><th scope="row">${asset}</th><td class="n" title=${amount(held)}>${short(held)}</td><td class="n">${short(free)}</td><td class="n">${short(value)}</td>
        <td>${part === undefined ? "" : html`<${Gauge} part=${part} />`}</td></tr>`;
    })}</tbody></table></div></section>`;
}

function Gauge({ part }: { readonly part: number }) {
  const tone = part >= 0.9 ? "high" : part >= 0.7 ? "mid" : "";
  return html`<span class="gauge ${tone}"><progress max="1" value=${Math.min(1, part)} aria-label="share of the limit"></progress> ${Math.round(part * 100)} %</span>`;
}

export function Needs({ data: { status } }: Data) {
  const { needs, at } = status;
  const asked = needs.filter(({ isAsked }) => isAsked).length;
  return html`<section class="panel needs ${asked > 0 ? "asked" : ""}" id="needs"><h2>Needs you (${asked})</h2>
    ${needs.length === 0 ? html`<p class="empty">nothing</p>` : ""}
    <ul tabindex="0" aria-label="needs you">${needs.map((one) => {
      const since = one.since === undefined ? "" : html` <time>${age(at - one.since)}</time>`;
      return html`<li key=${one.id} class="${one.urgency} ${one.isAsked ? "" : "dim"}">
        <p>${one.what}${since}</p><p class="quiet">${one.wayOut}</p>
        ${one.plan === undefined ? "" : html`<button type="button" onClick=${() => set({ dialog: { kind: "plan", id: one.plan ?? "" }, problem: "" })}>approve or decline</button>`}
      </li>`;
    })}</ul></section>`;
}

export function Prices({ data: { status, pairs } }: Data) {
  return html`<nav class="pairs" aria-label="pairs">${pairs.map(({ symbol }) => {
    const { bid, ask, fair, noFair } = status.quotes.find((one) => one.symbol === symbol) ?? {};
    const edge =
      fair === undefined || bid === undefined || ask === undefined
        ? undefined
        : Math.max(1 - ask / fair, bid / fair - 1) * 1e4;
    return html`<button type="button" key=${symbol} aria-pressed=${String(symbol === view.pair)} onClick=${() => set({ pair: symbol })}>
      <b>${symbol}</b> ${price(bid)} / ${price(ask)} <span class="quiet">fair ${fair === undefined ? (noFair ?? "\u2013") : price(fair)}${edge === undefined ? "" : `, edge ${bps(edge)} bp`}</span></button>`;
  })}</nav>`;
}

/** Shown without a limit, too: what would be lost, and which part of equity that is. */
const STRESS: ReadonlySet<string> = new Set(["depeg-loss", "issuer-loss", "everything-lost"]);

/** Only what is half full or more, unless all are asked for. */
export function Limits({ data: { status } }: Data) {
  const { limits, equity } = status;
  const known = limits.filter(({ key, limit }) => limit !== undefined || STRESS.has(key));
  const shown = view.allLimits ? known : known.filter(({ usedBps }) => (usedBps ?? 0) >= 5_000);
  return html`<section class="panel limits" id="limits"><h2>Limits above 50 %
    <button type="button" aria-pressed=${String(view.allLimits)} aria-keyshortcuts="l" onClick=${() => set({ allLimits: !view.allLimits })}>all ${known.length}</button></h2>
    ${shown.length === 0 ? html`<p class="empty">none of ${known.length}</p>` : ""}
    <table><tbody>${shown.map(({ key, rule, name, unit, used, limit, usedBps }) => {
      const most = limit === undefined ? "" : ` of ${short(String(limit))}`;
      const share =
        STRESS.has(key) && used !== undefined && Number(equity.now) > 0
          ? `, ${((used / Number(equity.now)) * 100).toFixed(1)} % of equity`
          : "";
      return html`<tr key=${key}><th scope="row">${rule} ${name}</th>
        <td class="n">${short(used === undefined ? undefined : String(used))}${most} ${unit}${share}</td>
        <td>${usedBps === undefined ? "" : html`<${Gauge} part=${usedBps / 1e4} />`}</td></tr>`;
    })}</tbody></table></section>`;
}

/** One line, which opens by itself when something in it is wrong. */
export function Machine({ data }: Data) {
  const { status, skew, slots } = data;
  const { feeds, budget, journal, version, pid, venue, startedAt, at } = status;
  const troubles = [
    ...feeds.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [`${name}: ${trouble}`])),
    ...(skew === undefined ? [] : [`clock ${skew}`]),
    ...((budget?.rateLimited ?? 0) > 0 ? [`${budget?.rateLimited} refusals for pace (429) in 10 min`] : []),
  ];
  const used = budget?.usedBps === undefined ? "" : ` · ${Math.round(budget.usedBps / 100)} % of slots`;
  return html`<section class="panel machine">
    <div class="strip" role="img" aria-label="the last requests">${slots.slice(-120).map((slot) => html`<i class="k-${slot.class}" title="${clock(slot.at)} ${slot.class} ${slot.what}: ${slot.end}, ${slot.tookMs} ms"></i>`)}</div>
    <details open=${troubles.length > 0}><summary class=${troubles.length > 0 ? "loss" : "quiet"}>machine: ${troubles[0] ?? "as it should be"}${used} · journal ${journal.records ?? "unreadable"} · ${clock(at)} UTC</summary>
      <p>${troubles.slice(1).join("; ")}</p>
      <p class="quiet">${version}, process ${pid}, venue ${venue}, up ${startedAt === undefined ? "" : age(at - startedAt)}, ${journal.path};
        ${feeds.map(({ name, ageMs }) => ` ${name} ${ageMs === undefined ? "unheard" : age(ageMs)}`).join(",")}</p></details></section>`;
}
