// The bot as the page sees it: the status of each second with fills, slots, mints and rails, and the memory of prices and
// profit. Written once a second for however many pages look.

import { printable } from "../../domain/sanitise.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { ShownFill, Status } from "../status.ts";
import { ALL_ANEW, acceptedTexts, againTexts, agreeText } from "../text/resume-text.ts";
import { clockText } from "../text/status-text.ts";
import type { History, Rows } from "./history.ts";

/** A slot of the key's budget that this process used. */
export type ShownSlot = {
  readonly at: Millis;
  readonly class: string;
  /** Starts with the path of the call. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: string;
};

/** A mint or a rail from request to arrival, or a payment on a rail from the account to its destination. */
export type ShownSettlement = {
  readonly id: string;
  readonly kind: "mint" | "rail" | "payment";
  readonly what: string;
  readonly state: string;
  readonly from: Millis;
  /** Undefined while it is in progress. */
  readonly to: Millis | undefined;
};

export type PairShown = {
  readonly symbol: string;
  /** For a coin against its own fiat: the largest deviation from 1 at which fair value is still trusted. */
  readonly parBandBps: number | undefined;
};

/** Prices after a fill, in basis points in its favour. */
export type FillShown = ShownFill & { readonly after10s: number | undefined; readonly after10m: number | undefined };

/** A fill on a chart. */
export type Mark = Pick<ShownFill, "at" | "side" | "price">;

export type PageData = {
  /** The id of the process; it changes at a restart. */
  readonly boot: string;
  /** The build of the page's files, so that an older page notices. */
  readonly build: string;
  readonly pairs: readonly PairShown[];
  readonly status: Status;
  /** Newest first. */
  readonly fills: readonly FillShown[];
  readonly slots: readonly ShownSlot[];
  readonly settlements: readonly ShownSettlement[];
  /** Halts and starts of the bot, with their times. */
  readonly events: History["events"];
  /** What a person reads before a resume. */
  readonly resume: readonly string[];
  readonly skew?: string | undefined;
};

export type ModelParts = Pick<PageData, "boot" | "pairs"> & {
  readonly status: () => Status;
  /** Newest last. */
  readonly fills: () => readonly ShownFill[];
  readonly settlements: () => readonly ShownSettlement[];
  readonly history: History;
};

export type PageModel = ReturnType<typeof createPageModel>;

const FILLS_SHOWN = 200;
const SLOTS_MAX = 200;
const TEXT_MAX = 400;
const ROWS_MAX = 800;
/** An older quote is no longer the venue's price, so the line gets a gap. Twice the time for which a price is trusted. */
const QUOTE_MS_MAX = 20_000;
const AFTER_MS = { after10s: 10_000, after10m: 600_000 };
const LATE_MS = 310_000;

const PER_PAIR = ["bid", "ask", "fair"] as const;
const MONEY = ["trading", "opening", "fx", "equity"] as const;

export function historyColumns(pairs: readonly PairShown[]): readonly string[] {
  const assets = [...new Set(pairs.flatMap(({ symbol }) => symbol.split("/")))];
  const prices = pairs.flatMap(({ symbol }) => PER_PAIR.map((name) => `${symbol} ${name}`));
  return [...MONEY, ...prices, ...assets.map((asset) => `${asset} held`)];
}

export function createPageModel(parts: ModelParts) {
  const { boot, pairs, status, fills, settlements, history } = parts;
  const columns = historyColumns(pairs);
  let slots: readonly ShownSlot[] = [];

  function rowOf({ quotes, equity, totals, holdings }: Status): readonly (number | undefined)[] {
    const { realised, unrealised, opening = "0", fx, mintFees, railFees } = totals ?? {};
    // Before the account has a value nothing of it is known to be zero.
    const isKnown = equity.now !== undefined && unrealised !== undefined;
    const open = Number(unrealised) - Number(opening);
    const trading = isKnown ? Number(realised) + open - Number(mintFees) - Number(railFees) : undefined;
    const values = new Map<string, number | undefined>([
      ["trading", Number(trading ?? Number.NaN)],
      ["fx", Number(fx ?? Number.NaN)],
      ["equity", Number(equity.now ?? Number.NaN)],
      ["opening", Number(equity.sources?.opening ?? Number.NaN)],
      ...holdings.map(({ asset, held }): [string, number] => [`${asset} held`, Number(held ?? Number.NaN)]),
    ]);
    for (const { symbol, bid, ask, fair, ageMs } of quotes) {
      const isKnown = ageMs !== undefined && ageMs <= QUOTE_MS_MAX;
      for (const [name, value] of Object.entries({
        bid: isKnown ? bid : undefined,
        ask: isKnown ? ask : undefined,
        fair,
      }))
        values.set(`${symbol} ${name}`, value);
    }
    return columns.map((name) => values.get(name));
  }

  function after(fill: ShownFill, ms: number, now: number): number | undefined {
    const { at, symbol, side, price } = fill;
    if (now < at + ms) return undefined;
    const { columns: found } = history.rows(at + ms, at + ms + LATE_MS, [`${symbol} bid`, `${symbol} ask`], 2_000);
    const [bid, ask] = found.map(([first]) => first ?? undefined);
    if (bid === undefined || ask === undefined) return undefined;
    return ((bid + ask) / 2 / price - 1) * 1e4 * (side === "buy" ? 1 : -1);
  }

  const marked = new Map<string, FillShown>();
  function shown(fill: ShownFill, now: number): FillShown {
    const known = marked.get(fill.clientOrderId);
    if (known?.after10m !== undefined) return known;
    const [after10s, after10m] = [
      known?.after10s ?? after(fill, AFTER_MS.after10s, now),
      after(fill, AFTER_MS.after10m, now),
    ];
    const one = { ...fill, after10s, after10m };
    marked.set(fill.clientOrderId, one);
    return one;
  }

  return {
    status,
    fills,
    /** Of an earlier process: fills the memory before its oldest row. */
    recall({ at, decisions }: Step) {
      if (at >= history.first) return;
      for (const { basis, proposal } of decisions) {
        const of = (name: string) => PER_PAIR.find((part) => name === `${proposal?.symbol} ${part}`);
        const row = columns.map((name) => {
          const part = of(name);
          return part && basis[part];
        });
        history.add(at, row);
      }
    },
    slot(slot: ShownSlot) {
      slots = [...slots, slot].slice(-SLOTS_MAX);
    },
    /** Called once a second. */
    sample() {
      const now = status();
      history.add(now.at, rowOf(now));
      const { state, since } = now.standing;
      if (state === "HALTED") history.mark(since, "halt");
      if (now.startedAt !== undefined) history.mark(now.startedAt, "start");
    },
    /** The data of this moment as JSON. Text from outside is shown as plain text: it cannot move a cursor or turn a line. */
    data(build: string): string {
      const seen = status();
      const { standing, limits, balancesAgreeSince, budget } = seen;
      const agreed = agreeText(standing, balancesAgreeSince);
      const isOwn = standing.cause === "person";
      const newest = fills().slice(-FILLS_SHOWN).reverse();
      const data: PageData = {
        ...{ boot, build, pairs, status: seen, slots, settlements: settlements() },
        events: history.events,
        fills: newest.map((fill) => shown(fill, seen.at)),
        resume: [
          ...(agreed === undefined ? [] : [`balances: ${agreed}`]),
          ...againTexts(standing),
          ...(isOwn
            ? ["all figures stay: a limit that is still broken stops the bot again"]
            : [...acceptedTexts(limits).map((text) => `accepts ${text}`), ALL_ANEW]),
        ],
        skew: clockText(budget?.skewMs),
      };
      const harmless = (_: string, one: unknown): unknown => (typeof one === "string" ? printable(one, TEXT_MAX) : one);
      return JSON.stringify(data, harmless);
    },
    /** `?from=&to=&of=a,b&fills=PAIR`, in milliseconds. */
    rows(query: URLSearchParams): Rows & { readonly fills: readonly Mark[] } {
      const [from, to] = ["from", "to"].map((name) => Number(query.get(name) ?? Number.NaN));
      const of = (query.get("of") ?? "").split(",").slice(0, 20);
      const marks = fills().filter(({ symbol, at }) => symbol === query.get("fills") && at >= (from || 0));
      return {
        ...history.rows(from || 0, to || Number.MAX_SAFE_INTEGER, of, ROWS_MAX),
        fills: marks.map(({ at, side, price }) => ({ at, side, price })),
      };
    },
  };
}
