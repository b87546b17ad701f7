// The first ten seconds: state and reason, what runs where, whether we still hear of it, and the figures that matter.

import { byId, hide, make, put, say } from "./dom.js";
import { age, amount, change, clock, count, date, moment, percent, perRequest, toneOf, uptime } from "./format.js";
import { kindsOf, stateShown, stopsOf, waitsText, whoseText, wordsOf } from "./state.js";

export function showTop(status) {
  const { standing, mode, environment, strategy, said, venue, at, startedAt, version, pid } = status;
  const facts = {
    mode: mode === "live" ? `LIVE on ${environment}` : environment === mode ? mode : `${mode} ${environment}`,
    strategy: strategy === "" ? "none yet" : strategy,
    venue,
    up: uptime(at - startedAt),
    version: `${version.split(" ")[0]}, pid ${pid}`,
  };
  put(
    byId("facts"),
    ...Object.entries(facts).map(([name, text]) =>
      make("div", { class: name === "mode" ? `mode-${mode}` : undefined }, make("dt", {}, name), make("dd", {}, text)),
    ),
  );
  byId("says").hidden = said === undefined;
  say(byId("says"), said === undefined ? "" : `${strategy} says since ${moment(said.at, at)} UTC: ${said.text}`);
  const waits = waitsText(status.treasury, status.open);
  byId("waits").hidden = waits === "";
  say(byId("waits"), waits);
  const [resume, halt] = [byId("resume"), byId("halt")];
  hide(resume, standing.state === "ACTIVE", halt);
  hide(halt, standing.cause === "person", resume);
}

/** What was the bot's last word some seconds ago may be over. */
function showState(status, isHeard) {
  const { equity, at } = status;
  const { text, tone } = stateShown(status, isHeard);
  say(byId("state"), text);
  byId("state").dataset.state = tone;
  say(byId("doing"), isHeard ? wordsOf(status).doing : `not heard of since ${clock(at)} UTC`);
  const worth = equity.now === undefined ? "" : ` ${amount(equity.now)} ${equity.currency}`;
  document.title = `${text}${tone === "unready" ? ", not ready" : ""}${worth} \u00b7 pegbot`;
}

export function showTiles({ equity, totals = {}, counts, open, budget, at }) {
  const doubts = open.filter(({ isDoubt }) => isDoubt);
  const oldest = Math.min(...doubts.map(({ since }) => since ?? at));
  const tiles = [
    ["Equity", amount(equity.now), equityNote(equity), ""],
    ["Value at mid", amount(equity.atMid), equity.currency, ""],
    ["Value at par", amount(equity.atPar), equity.currency, ""],
    ["Realised", change(totals.realised), `${equity.currency}, since the journal began`, toneOf(totals.realised)],
    ["Unrealised", change(totals.unrealised), `${equity.currency}, of open positions`, toneOf(totals.unrealised)],
    ["FX revaluation", change(totals.fx), `${equity.currency}, since the journal began`, toneOf(totals.fx)],
    ["Today", change(equity.today), equity.currency, toneOf(equity.today)],
    ["Realised today", change(equity.realised), equity.currency, toneOf(equity.realised)],
    feesTile(equity),
    ["Turnover today", amount(equity.turnover), `${equity.currency}, ${count(equity.orders)} orders`, ""],
    ["Fills", count(counts.fills), `of ${count(counts.approved)} approved since 00:00 UTC`, ""],
    ["Refused", count(counts.refused), "by a limit, since 00:00 UTC", ""],
    [
      "In doubt",
      count(doubts.length),
      doubts.length === 0 ? "nothing is unknown" : `${kindsOf(doubts)}, oldest ${age(at - oldest)}`,
      doubts.length === 0 ? "" : "loss",
    ],
    [
      "Budget used",
      budget?.usedBps === undefined ? "\u2013" : percent(budget.usedBps / 1e4),
      budget === undefined ? "ledger is busy" : `of a minute, one in ${(budget.spacingMs / 1_000).toFixed(2)} s`,
      "",
    ],
    [
      "Profit per request",
      perRequest(equity.perRequest),
      `${equity.currency}, since the start or the day's`,
      toneOf(equity.perRequest),
    ],
  ];
  put(
    byId("tiles"),
    ...tiles.map(([name, value, more, tone]) =>
      make("div", {}, make("dt", {}, name), make("dd", { class: tone }, value), make("dd", { class: "more" }, more)),
    ),
  );
}

/** It rests on prices, and the oldest of them may be old. */
function equityNote({ currency, markAgeMs }) {
  return markAgeMs === undefined ? currency : `${currency}, oldest price ${age(markAgeMs)}`;
}

/** Those of trades are in what was realised already, those of mints and rails are not. */
function feesTile({ fees, mintFees, railFees, currency }) {
  return [
    "Fees of trades today",
    amount(fees),
    `${currency}; mints ${amount(mintFees)}, rails ${amount(railFees)}`,
    "",
  ];
}

const LINKS = {
  connecting: "connecting",
  live: "live",
  quiet: "nothing newer than",
  lost: "no contact",
  resting: "in the background, nothing newer than",
  full: "too many pages are open",
  locked: "a token is needed",
};

export function showLink(link, status) {
  document.body.dataset.link = link;
  if (status === undefined) {
    say(byId("link"), LINKS[link]);
    return;
  }
  say(byId("link"), `${LINKS[link]} ${date(status.at)} ${clock(status.at)} UTC`);
  showState(status, link === "live");
}

/** What a person must not overlook: a stop with its way out, and that nothing is heard. */
export function showBanners(status, link, isOutdated) {
  const banners = [];
  for (const stop of stopsOf(status?.standing)) banners.push(stopBanner(stop, status.at, wordsOf(status)));
  for (const reason of status === undefined ? [] : wordsOf(status).unsaid)
    banners.push(make("p", { class: "banner stale" }, make("strong", {}, "NOT READY: "), reason));
  if (link === "lost" && status !== undefined)
    banners.push(
      make(
        "p",
        { class: "banner stale" },
        `No contact with the bot: what is shown is of ${clock(status.at)} UTC. Trying again. `,
        "From here it cannot be stopped: use ",
        make("code", {}, "pegbot halt"),
        ", the kill file or SIGUSR2.",
      ),
    );
  if (link === "full")
    banners.push(
      make(
        "p",
        { class: "banner stale" },
        "Too many pages are open on this bot: close one, or load this page again and give the token.",
      ),
    );
  if (isOutdated) banners.push(make("p", { class: "banner stale" }, "The bot was updated: load this page again."));
  put(byId("banners"), ...banners);
}

function stopBanner(stop, now, { balances }) {
  const { state, reason, wayOut, cause } = stop;
  const agree = cause === "balances" && balances !== undefined ? [`The balances: ${balances}. `] : [];
  const way = [...agree, ...(wayOut === "" ? [] : ["Way out: ", make("code", {}, wayOut)])];
  const whose = make("span", { class: "quiet" }, ` ${whoseText(stop, now)}. `);
  return make("p", { class: `banner state-${state}` }, make("strong", {}, `${state}: `), reason, whose, ...way);
}
