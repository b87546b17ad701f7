// The lists at the side: prices, limits and how full they are, what is open, mints and rails, feeds and the machine, notes.

import { byId, empty, make, put, say } from "./dom.js";
import { age, basisPoints, clock, count, date, grouped, moment, percent, price } from "./format.js";
import { laneTone } from "./state.js";

/** An old price is no price: from here on it is marked. */
const STALE_MS = 10_000;

/** No fair value although there should be one; a pair without a source of it has none, and that is no alarm. */
const UNTRUE = new Set(["stale", "crossed", "disagreeing", "off-peg", "implausible"]);

/** `toggle` gets the pair whose charts are opened or closed. */
export function openPrices(toggle) {
  byId("price-rows").addEventListener("click", ({ target }) => {
    const symbol = target.closest("button")?.textContent;
    if (symbol !== undefined) toggle(symbol);
  });
}

export function showPrices({ quotes }, pairs, isShown) {
  const rows = pairs.map(({ symbol, parBandBps }) => {
    const { bid, ask, fair, noFair, ageMs } = quotes.find((quote) => quote.symbol === symbol) ?? {};
    const premium = parBandBps === undefined || bid === undefined ? undefined : ((bid + ask) / 2 - 1) * 1e4;
    const button = make(
      "button",
      { type: "button", class: "plain", "aria-pressed": String(isShown(symbol)), title: "show or hide its charts" },
      symbol,
    );
    const isOld = ageMs === undefined || ageMs > STALE_MS;
    return make(
      "tr",
      { class: isOld ? "quiet" : undefined },
      make("td", {}, button),
      make("td", { class: "n" }, price(bid)),
      make("td", { class: "n" }, price(ask)),
      make("td", { class: UNTRUE.has(noFair) ? "n warn" : "n" }, UNTRUE.has(noFair) ? noFair : price(fair)),
      make("td", { class: "n" }, premium === undefined ? "" : basisPoints(premium)),
      make("td", { class: isOld ? "n warn" : "n" }, age(ageMs)),
    );
  });
  put(byId("price-rows"), ...rows);
}

/** Only where the venue shows no quotes. */
export function showHidden({ quotes }) {
  const rows = quotes.filter(({ hidden }) => hidden !== undefined);
  byId("hidden-prices").hidden = rows.length === 0;
  const interval = ({ low, high }) => make("td", { class: "n" }, `${price(low)} to ${price(high)}`);
  put(
    byId("hidden-rows"),
    ...rows.map(({ symbol, hidden: { bid, ask, ageMs } }) =>
      make("tr", {}, make("td", {}, symbol), interval(bid), interval(ask), make("td", { class: "n" }, age(ageMs))),
    ),
  );
}

/** Shown without a limit, too: what would be lost, and which part of equity that is. */
const STRESS = ["depeg-loss", "issuer-loss", "everything-lost"];

export function showLimits({ limits, equity }) {
  const rows = byId("limit-rows");
  const isShown = ({ key, limit }) => limit !== undefined || STRESS.includes(key);
  const set = limits.filter(isShown);
  const off = limits.length - set.length;
  say(byId("limits-note"), off === 0 ? "" : `${off} loosened by name`);
  if (limits.length === 0) {
    put(rows, empty("not known before the books are open"));
    return;
  }
  put(
    rows,
    make("div", { role: "table", "aria-label": "limits" }, ...set.map((limit) => limitRow(limit, Number(equity.now)))),
  );
}

function limitRow({ key, rule, name, unit, used, limit, usedBps }, equity) {
  const part = usedBps === undefined || usedBps === null ? undefined : usedBps / 1e4;
  const gauge = make(
    "div",
    {
      "aria-hidden": "true",
      class: `gauge ${part === undefined ? "" : part >= 0.9 ? "high" : part >= 0.7 ? "mid" : ""}`,
    },
    make("i"),
  );
  gauge.firstChild.style.width = `${Math.min(1, part ?? 0) * 100}%`;
  const most = limit === undefined ? "" : ` of ${figure(limit)}`;
  const share = STRESS.includes(key) && equity > 0 ? `, ${percent(used / equity, 1)} of equity` : "";
  const text = `${figure(used)}${most}${unit === "" ? "" : ` ${unit}`}${share}`;
  return make(
    "div",
    { class: "limit", role: "row", title: rule },
    make("span", { role: "rowheader" }, name),
    gauge,
    make("span", { class: "n quiet", role: "cell" }, text),
    make(
      "span",
      { class: "n", role: "cell" },
      part === undefined ? (limit === undefined ? "" : "?") : percent(part, part > 0 && part < 0.1 ? 1 : 0),
    ),
  );
}

function figure(value) {
  if (value === undefined || value === null) return "?";
  return value >= 1_000_000 ? `${(value / 1_000_000).toFixed(1).replace(/\.0$/, "")}M` : count(value);
}

export function showOpen({ open, at }) {
  const doubts = open.filter(({ isDoubt }) => isDoubt).length;
  say(byId("open-note"), doubts === 0 ? "" : `${doubts} in doubt`);
  if (open.length === 0) {
    put(byId("open-rows"), empty("nothing is open, nothing is unknown"));
    return;
  }
  const rows = open.map(({ id, kind, state, what, isDoubt, since, venueWord, venueReason, venueId }) =>
    make(
      "div",
      { class: isDoubt ? "open doubt" : "open" },
      make("span", { class: "badge", "data-outcome": isDoubt ? "doubt" : state }, state),
      make("span", {}, kind === "order" ? what : `${kind} ${what}`),
      make("span", { class: "n quiet" }, since === undefined ? "" : age(at - since)),
      make("span", { class: "more" }, venueText({ id, venueWord, venueReason, venueId })),
    ),
  );
  put(byId("open-rows"), ...rows);
}

/** With what its support asks for. */
function venueText({ id, venueWord, venueReason, venueId }) {
  const why = venueReason === undefined ? "" : `: ${venueReason}`;
  const said = venueWord === undefined ? "" : `, the venue says ${venueWord}${why}`;
  return `${id}${said}${venueId === undefined ? "" : `, its id there is ${venueId}`}`;
}

/** What waits for a person's word, and what it is. The panel is there only while something does. */
export function showWaiting(status) {
  const rows = [...venueRows(status), ...troubleRows(status), ...planRows(status)];
  byId("waiting").hidden = rows.length === 0;
  put(byId("waiting-rows"), ...rows);
}

function waitingRow(badge, what, more) {
  return make(
    "div",
    { class: "open" },
    make("span", { class: "badge", "data-outcome": "doubt" }, badge),
    make("span", {}, what),
    make("span", { class: "more" }, more),
  );
}

/** What evidence did not decide, and what the venue keeps from going on. */
function venueRows({ treasury: { held = [] } = {}, offline = [], open, equity, at: now }) {
  const asked = open.filter(({ decide }) => decide !== undefined);
  const kept = open.filter(({ heldSince }) => heldSince !== undefined);
  const nor = equity.now === undefined ? ", nor anything else while equity is unknown" : "";
  return [
    ...asked.map(({ kind, what, decide }) =>
      waitingRow("to decide", `${kind === "order" ? what : `${kind} ${what}`}: it may have happened`, decide),
    ),
    ...offline.map(({ symbol, word, since }) =>
      waitingRow(
        "pair",
        `${symbol} is ${word} at the venue`,
        `since ${moment(since, now)} UTC, nothing of it is ordered${nor}`,
      ),
    ),
    ...kept.map(({ id, kind, what, venueId, venueReason, heldSince }) =>
      waitingRow("held", `${kind} ${what}`, heldText(heldSince, venueId ?? id, venueReason, now)),
    ),
    ...held.map(({ venueId, amount, since }) =>
      waitingRow("held", `payment of ${grouped(amount)}`, heldText(since, venueId, undefined, now)),
    ),
  ];
}

/** What stands still, or was left out, until a person has looked. */
function troubleRows({ treasury: { railsFrozen, rest, left = [] } = {}, freshStart, at: now }) {
  return [
    ...(railsFrozen === undefined
      ? []
      : [waitingRow("rails frozen", railsFrozen, 'pegbot rails --acknowledge --reason "..."')]),
    ...(freshStart === undefined
      ? []
      : [waitingRow("fresh start", freshStart.text, `${date(freshStart.at)} ${clock(freshStart.at)} UTC`)]),
    ...(rest === undefined ? [] : [waitingRow("no plan", rest.why, `until ${moment(rest.until, now)} UTC`)]),
    ...left.map(({ holding, why }) =>
      waitingRow("left as it is", `${holding}: ${why}`, "pegbot rebalance shows every holding"),
    ),
  ];
}

/** Plans, and what is to be paid for them. */
function planRows({ treasury: { plans = [], underWay, awaited = [], expired = [] } = {}, at: now }) {
  return [
    ...expired.map(({ id, at, why, declinedBy }) =>
      declinedBy === undefined
        ? waitingRow("plan not begun", why, `${id}, ${moment(at, now)} UTC`)
        : waitingRow("plan declined", `by ${declinedBy}: ${why}`, `${id}, ${moment(at, now)} UTC`),
    ),
    ...(underWay === undefined ? [] : [waitingRow("plan under way", ...underWayTexts(underWay, now))]),
    ...plans.map(({ id, steps, expiresAt, persons, approvedBy }) =>
      waitingRow(
        "plan",
        steps.join("; "),
        `pegbot approve ${id} or pegbot decline ${id}, ${approvedBy.length} of ${persons} have approved, until ${moment(expiresAt, now)} UTC`,
      ),
    ),
    ...awaited.map(({ id, rail, over, pays, since }) =>
      waitingRow(
        "to be paid",
        pays === undefined ? "nothing was paid so far" : grouped(pays),
        `on ${over ?? rail} since ${moment(since, now)} UTC, ${id}`,
      ),
    ),
  ];
}

function heldText(since, venueId, reason, now) {
  const why = reason === undefined ? "" : ` (${reason})`;
  return `by the venue since ${moment(since, now)} UTC${why}: write to its support with the id ${venueId}`;
}

/** Its step of now, and what that waits for. */
function underWayTexts({ id, at, done, steps, waitsFor }, now) {
  const step = Math.min(done + 1, steps.length);
  const waits = waitsFor === undefined ? "" : `, waits for ${waitsFor}`;
  return [`${steps[step - 1]}${waits}`, `${id}, step ${step} of ${steps.length}, since ${moment(at, now)} UTC`];
}

/** Each on a line of its own, from request to arrival, on one scale of time. */
export function showSettlements(settlements, at) {
  const place = byId("settlement-rows");
  if (settlements.length === 0) {
    put(place, empty("no mint and no rail so far"));
    return;
  }
  const shown = settlements.slice(-12).reverse();
  const first = Math.min(...shown.map(({ from }) => from));
  const span = Math.max(1, at - first);
  put(
    place,
    ...shown.map(({ kind, what, state, from, to }) => {
      const bar = make("div", { class: "lane" }, make("i", { class: `lane-${laneTone({ kind, state })}` }));
      bar.firstChild.style.left = `${((from - first) / span) * 100}%`;
      bar.firstChild.style.width = `${Math.max(0.5, (((to ?? at) - from) / span) * 100)}%`;
      return make(
        "div",
        { class: "settlement" },
        make("span", {}, `${kind} ${what}`),
        make("span", { class: "quiet" }, state),
        make("span", { class: "n quiet" }, age((to ?? at) - from)),
        bar,
      );
    }),
    make("div", { class: "ends" }, make("span", {}, `${moment(first, at)} UTC`), make("span", {}, "now")),
  );
}

export function showFeeds({ feeds, budget, journal, otherLimits, unlogged, words }) {
  const line = (name, text, tone) =>
    make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: tone }, text));
  const rows = feeds.map(({ name, kind, ageMs, trouble }) => {
    const isOld = ageMs === undefined || ageMs > STALE_MS;
    const text = trouble ?? (ageMs === undefined ? "nothing heard yet" : `last price ${age(ageMs)} ago`);
    return line(
      kind === "venue" ? "venue" : `reference ${name}`,
      text,
      trouble !== undefined ? "loss" : isOld ? "warn" : undefined,
    );
  });
  if (budget !== undefined) {
    const { rateLimited, skewMs, waiting } = budget;
    rows.push(
      line(
        "rate limits",
        rateLimited === 0 ? "none in 10 min" : `${rateLimited} in 10 min: does another program use the key?`,
        rateLimited === 0 ? undefined : "loss",
      ),
    );
    const isCompared = words !== undefined && skewMs !== undefined;
    const clockText = isCompared ? (words.skew ?? "agrees with the venue's") : "not compared yet";
    rows.push(line("clock", clockText, words?.skew === undefined ? undefined : "loss"));
    rows.push(line("waiting", waiting.length === 0 ? "nothing" : waiting.join(", ")));
  }
  if (otherLimits !== undefined)
    rows.push(line("limits", `${otherLimits}: restart the bot, or put the configuration back`, "loss"));
  if (unlogged !== undefined) rows.push(line("log", unlogged, "loss"));
  rows.push(
    line(
      "journal",
      `${journal.records === undefined ? "unreadable" : `${count(journal.records)} records`}, ${journal.path}`,
      journal.records === undefined ? "loss" : undefined,
    ),
  );
  put(byId("feed-rows"), ...rows);
}

export function showNotes({ notes, at: now }) {
  if (notes.length === 0) {
    put(byId("note-rows"), empty("nothing to say"));
    return;
  }
  put(
    byId("note-rows"),
    ...notes
      .slice(0, 12)
      .map(({ at, text }) =>
        make("p", { class: "note" }, make("span", { class: "quiet" }, moment(at, now)), " ", text),
      ),
  );
}
