// The live screen as a function of the status and the size of the terminal: the most important parts are on top, and
// the least important ones are left out first when space runs out.

import { amountText, changeText, priceText, quantityText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { askedText, reliabilityText } from "../../domain/reliability.ts";
import { durationText, momentText, timeText, utcText } from "../../domain/time-text.ts";
import {
  openCount,
  type ShownDecision,
  type ShownFill,
  type ShownHolding,
  type ShownQuote,
  type Status,
  wantedText,
} from "../status.ts";
import { apart, inLines, type Line, left, type Room, right, type Style } from "./screen-line.ts";
import { equityText, marketText, profitText, requestEdgeText, sourcesText, valueText } from "./status-text.ts";

const STATE_STYLE: Readonly<Record<string, Style>> = {
  ACTIVE: "green",
  IDLE: "cyan",
  HALTED: "red",
};
const OUTCOME_STYLE: Readonly<Record<string, Style>> = {
  filled: "green",
  confirmed: "green",
  refused: "dim",
  rejected: "yellow",
  doubt: "red",
  escalated: "red",
};
const NOTHING: Line = [""];

export type Size = { readonly width: number; readonly height: number };

/** What the lower part shows. */
export type Pane = "decisions" | "fills" | "refusals" | "keys";

/** `keys`: absent where no key is taken. */
export type Shown = {
  readonly fills?: readonly ShownFill[];
  readonly keys?: { readonly pane: Pane; readonly isHalting: boolean } | undefined;
};

export function statusScreen(
  status: Status,
  url: string | undefined,
  { width, height }: Size,
  { fills = [], keys }: Shown = {},
): readonly Line[] {
  const room = { width, linesMax: height < LOW ? 1 : 3 };
  const top = [
    ...header(status, width),
    ...state(status, room),
    ...needLines(status),
    ...equity(status, width, height),
    NOTHING,
  ];
  const bottom = footer(status, url, room, keys);
  const underWay = underWayLines(status);
  const holdings = holdingLines(status, width);
  const quotes = quoteLines(status, width);
  const fixed = top.length + bottom.length + underWay.length;
  const pane = keys?.pane ?? "decisions";
  const forQuotes = pane === "decisions" ? height - fixed - holdings.length - 2 - DECISIONS_MIN : 0;
  const middle =
    forQuotes >= Math.min(quotes.length, QUOTES_MIN)
      ? [...holdings, NOTHING, ...cutTo(quotes, forQuotes), NOTHING]
      : [...cutTo(holdings, Math.max(1, height - fixed - 3)), NOTHING];
  const rest = Math.max(2, height - fixed - middle.length);
  const above = [...top, ...middle, ...underWay, ...padded(paneLines(pane, { status, fills, width, rest }), rest)];
  // The way to stop the bot stays on the screen, however much is above it.
  return [...above.slice(0, Math.max(1, height - bottom.length)), ...bottom].slice(0, Math.max(1, height));
}

/** On a screen of at most this height, a reason and a remark of several lines would leave no line for the way out. */
const LOW = 16;
/** A title, and two decisions, or one with its reason. */
const DECISIONS_MIN = 4;
/** A title, two pairs, and the number of further pairs. */
const QUOTES_MIN = 4;

/** Holdings take precedence over the last of the pairs. */
function cutTo(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), [`and ${lines.length - most + 1} more on the page`]];
}

function header(status: Status, width: number): Line[] {
  const { mode, at } = status;
  const what: Line = [
    { text: "pegbot  ", style: "bold" },
    { text: marketText(status), style: mode === "live" ? "red" : mode === "shadow" ? "yellow" : "cyan" },
  ];
  return [apart(what, `${timeText(at)} UTC`, width)];
}

function state(status: Status, room: Room): Line[] {
  const { state, at, startedAt = at, counts, said, strategy } = status;
  const { word, since, why, frees } = state;
  const style = STATE_STYLE[word] ?? "yellow";
  const age = since === undefined || word === "ACTIVE" ? "" : ` since ${momentText(since, at)}`;
  const facts = `${age}  up ${durationText(at - startedAt)}  fills ${counts.fills}  round trips ${counts.roundTrips}  refused ${counts.refused}  open ${openCount(status)}`;
  return [
    [{ text: word, style }, facts],
    ...(why === "" ? [] : inLines("", why, style, room)),
    ...(frees === "" ? [] : inLines("frees it: ", frees, "bold", room)),
    ...(word !== "ACTIVE" || said === undefined ? [] : [[`${strategy} says: ${said.text}`]]),
  ];
}

/** The stop that the state already names is left out. */
function needLines({ needs, state: { why } }: Status): Line[] {
  const told = needs.filter(({ kind, what }) => kind !== "stop" || !what.endsWith(why));
  const shown = told
    .slice(0, NEEDS_SHOWN)
    .map(
      ({ what, wayOut, urgency }): Line => [
        { text: what, style: urgency === "critical" ? "red" : "yellow" },
        `. Way out: ${wayOut}`,
      ],
    );
  return told.length > NEEDS_SHOWN ? [...shown, [`and ${told.length - NEEDS_SHOWN} more: pegbot status`]] : shown;
}

const NEEDS_SHOWN = 3;

function equity({ equity, totals }: Status, width: number, height: number): Line[] {
  const { today, sources } = equity;
  const value = valueText(width < ROOMY ? { ...equity, markAgeMs: undefined } : equity);
  return [
    ["today   ", { text: changeText(today), style: today?.startsWith("-") ? "red" : "green" }, sourcesText(sources)],
    ["equity  ", { text: equityText(equity), style: "bold" }, `, ${value}`],
    ...(height < 30 || totals === undefined ? [] : [[`profit  ${profitText(totals)}`]]),
  ];
}

function underWayLines({ treasury }: Status): Line[] {
  const { underWay } = treasury ?? {};
  const times = treasury?.instructions?.map(
    ({ what, next, waitsFor }): Line => [
      `${what}: next ${utcText(next)}`,
      ...(waitsFor === undefined ? [] : [{ text: `; waits for ${waitsFor}`, style: "yellow" } as const]),
    ],
  );
  if (underWay === undefined) return times ?? [];
  const { id, done, steps, waitsFor } = underWay;
  const step = Math.min(done + 1, steps.length);
  const waits = waitsFor === undefined ? (steps[step - 1] ?? "") : `waits for ${waitsFor}`;
  return [[`plan ${id} is under way, step ${step} of ${steps.length}: `, { text: waits, style: "yellow" }], NOTHING];
}

/** Below this width, columns that follow from others are left out. */
const WIDE = 72;
/** From this width on, figures of the machine are shown. */
const ROOMY = 100;

function holdingLines({ holdings, equity, limits }: Status, width: number): Line[] {
  const most = limits.find(({ key }) => key === "asset-exposure")?.limit;
  const wide = (text: string): string => (width >= WIDE ? right(text, 10) : "");
  const row = (asset: string, held: string, free: string, value: string, part: string): string =>
    `${left(asset, 6)}${right(held, 17)}${right(free, 17)}${right(value, 17)}${wide(part)}`;
  const partOf = ({ asset, value }: ShownHolding): string =>
    asset === equity.currency || !most || value === undefined ? "" : `${Math.round((Number(value) / most) * 100)} %`;
  return [
    [{ text: row("asset", "held", "free", `in ${equity.currency}`, "of limit"), style: "dim" }],
    ...holdings.map((one): Line => {
      const { asset, held, value } = one;
      return [row(asset, quantityText(held), quantityText(freeOf(one)), amountText(value), partOf(one))];
    }),
  ];
}

/** Open orders may still spend part of the venue's available amount; the rest is free for another order. */
export function freeOf({ asset, available, reserved }: ShownHolding): string | undefined {
  if (available === undefined) return undefined;
  const money = (text: string): Money => Money.of(text, asset as Asset);
  return String(money(available).minus(money(reserved)));
}

/** Pairs without any information are not shown. */
function quoteLines({ quotes, reliability, equity }: Status, width: number): Line[] {
  const shown = quotes.filter(({ noFair }) => noFair !== "missing");
  const wide = width >= WIDE;
  const title = `${left("pair", 10)}${right("bid", 11)}${right("ask", 11)}${right("fair", 11)}${wide ? right("age", 8) : ""}   edge`;
  return [
    [{ text: title, style: "dim" }],
    ...shown.map((quote): Line => {
      const age = wide ? right(quote.ageMs === undefined ? "-" : `${(quote.ageMs / 1_000).toFixed(1)} s`, 8) : "";
      const prices = [quote.bid, quote.ask, quote.fair]
        .map((price) => ` ${right(price === undefined ? "-" : priceText(price), 10)}`)
        .join("");
      return [left(quote.symbol, 10), prices, age, `   ${edgeText(quote)}`];
    }),
    ...(reliability === undefined ? [] : [[reliabilityText(reliability, equity.currency)]]),
  ];
}

function edgeText({ bid, ask, fair, noFair, hidden }: ShownQuote): string {
  if (noFair !== undefined) return `no fair value: ${noFair}`;
  if (hidden !== undefined) return hiddenText(hidden);
  if (bid === undefined || ask === undefined || fair === undefined) return "-";
  const buy = (1 - ask / fair) * 1e4;
  const sell = (bid / fair - 1) * 1e4;
  if (Math.max(buy, sell) <= 0) return "none";
  return buy > sell ? `buy ${buy.toFixed(1)} bp` : `sell ${sell.toFixed(1)} bp`;
}

function hiddenText({ bid, ask, ageMs }: NonNullable<ShownQuote["hidden"]>): string {
  return `${askedText({ bid, ask })}, ${durationText(ageMs)} ago`;
}

type Below = {
  readonly status: Status;
  readonly fills: readonly ShownFill[];
  readonly width: number;
  readonly rest: number;
};

function paneLines(pane: Pane, { status, fills, width, rest }: Below): Line[] {
  const { decisions, phase } = status;
  switch (pane) {
    case "fills":
      return [
        [
          {
            text: `last fills          size  pair             paid   edge bp realised, ${status.equity.currency}`,
            style: "dim",
          },
        ],
        ...fills
          .slice(-Math.max(1, rest - 1))
          .reverse()
          .map((one) => fillLine(one, status.at)),
      ];
    case "keys":
      return [[{ text: "keys", style: "dim" }], ...KEYS.map((text): Line => [text])];
    default: {
      const isAll = pane === "decisions";
      const shown = decisions.filter(({ outcome }) => isAll || outcome === "refused");
      const why = phase.kind === "trading" && isAll ? "none yet: the strategy has proposed nothing" : "none yet";
      const perDecision = width >= 110 ? 1 : 2;
      const lines = shown
        .slice(0, Math.max(1, Math.floor((rest - 1) / perDecision)))
        .flatMap((decision) => decisionLine(decision, width, status.at));
      const title: Line = [{ text: isAll ? "last decisions" : "last refusals", style: "dim" }];
      return [title, ...(lines.length === 0 ? [[why]] : lines)].slice(0, Math.max(2, rest));
    }
  }
}

const KEYS = [
  "h  halt everything: press it twice; only pegbot resume leads out",
  "f  fills with what was paid and realised",
  "r  refusals, each with its rule",
  "q  stop the bot, as Ctrl-C does; it goes on at the next start",
  "?  this list; the same key again shows decisions",
];

function fillLine({ at, side, size, symbol, price, edgeBps, realised }: ShownFill, now: number): Line {
  const edge = edgeBps === undefined ? "-" : edgeBps.toFixed(1);
  return [
    `${momentText(at, now)}  ${left(side, 5)}${right(quantityText(size), 10)}  ${left(symbol, 11)}${right(priceText(price), 10)}${right(edge, 10)}${right(realised === undefined ? "" : changeText(realised), 14)}`,
  ];
}

/** Each with its reason below it where there is room. */
function decisionLine(decision: ShownDecision, width: number, now: number): Line[] {
  const { at, size, outcome, note, reason, times } = decision;
  const what = `${momentText(at, now)}  ${left(wantedText({ ...decision, size: shortSize(size) }), 38)}`;
  const became = {
    text: left(times > 1 ? `${outcome} x${times}` : outcome, 12),
    style: OUTCOME_STYLE[outcome] ?? "bold",
  };
  // A refusal or a venue message is more informative than the reason of the proposal.
  const why = note === "" ? reason : `${note}`;
  return width >= 110 ? [[what, became, why]] : [[what, became], [{ text: `          ${why}`, style: "dim" }]];
}

function shortSize(size: string): string {
  return size.length > 10 ? Number(size).toFixed(2) : size;
}

function padded(lines: readonly Line[], room: number): Line[] {
  return [...lines, ...Array.from({ length: Math.max(0, room - lines.length) }, () => NOTHING)];
}

/** A remark is shown for a minute. */
const NOTE_MS = 60_000;

function footer(
  { budget, equity, journal, notes, at, strategy, pid }: Status,
  url: string | undefined,
  room: Room,
  keys: Shown["keys"],
): Line[] {
  const used = budget?.usedBps === undefined ? "-" : `${Math.round(budget.usedBps / 100)} %`;
  const spacing = budget === undefined ? "-" : `${(budget.spacingMs / 1_000).toFixed(2)} s`;
  const limited = budget === undefined || budget.rateLimited === 0 ? "" : `   429s ${budget.rateLimited}`;
  const note = notes.find((one) => at - one.at < NOTE_MS);
  const remark = note === undefined ? [] : inLines(`${timeText(note.at)}  `, note.text, "yellow", room);
  const what = room.width < WIDE ? "" : `${strategy && `${strategy}, `}pid ${pid}   `;
  const facts = `${what}slots ${used}, one in ${spacing}${requestEdgeText(equity)}${limited}${room.width < ROOMY ? "" : `   journal ${journal.records ?? "-"} records`}`;
  if (keys?.isHalting)
    return [
      ...remark,
      [facts],
      [{ text: "h again: HALT EVERYTHING until a person resumes; another key: go on", style: "red" }],
    ];
  const ways = keys ? "h halt  f fills  r refusals  q stop  ? keys" : 'Ctrl-C stops, pegbot halt "why" ends trading';
  const place = url === undefined ? "" : `${url}   `;
  // The way to stop the bot is never cut.
  const last = place.length + ways.length <= room.width ? [place + ways] : [place.trimEnd(), ways];
  return [...remark, ...[facts, ...last].map((text): Line => [{ text, style: "dim" }])];
}
