// The venue's balances against the ledger, asset by asset and to the last digit. A difference is exact where it is zero, one open
// item, or all of them together. Any other one freezes its asset and halts the bot: soon where it lies outside the sums of what is
// open and young, later where late balances may still explain it. Nothing is searched for, and no tolerance is given.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { Money } from "../domain/money/money.ts";
import type { Range } from "../domain/moves.ts";
import type { Millis, Mono } from "../domain/time.ts";
import { durationText, utcText } from "../domain/time-text.ts";
import type { BalanceDifference } from "../journal/record.ts";
import type { Vote } from "./evidence.ts";
import { ADOPT } from "./remediation.ts";
import type { Conflict, Moment } from "./request.ts";

/** A request or payment of ours that the balances show either wholly or not at all. `text` is for messages. */
export type OpenItem = { readonly id: string; readonly text: string; readonly moves: readonly Range[] };

/** A booking that the balances may not show yet. `from` is the monotonic clock of the process that booked it. */
type Booking = {
  readonly id: string;
  readonly moves: readonly Money[];
  readonly at: Millis;
  readonly from: Mono | undefined;
};

type Mismatch = {
  readonly venue: Money;
  readonly difference: Money;
  readonly since: Millis;
  readonly from: Mono | undefined;
  /** The difference lies outside the sums of all open and young items. */
  readonly isOutside: boolean;
  /** The venue no longer lists the asset. */
  readonly isUnlisted: boolean;
};

/** An open or young item of ours. */
export type OfOurs = { readonly id: string; readonly text: string };

/** `adopt`: the steps before `resume`, including the command that adopts the difference. */
export type BalanceHalt = Conflict & { readonly adopt: string };

export type CheckResult = {
  readonly records: readonly BalanceDifference[];
  readonly halt: BalanceHalt | undefined;
  /** Assets whose difference is exact: the balances show all of their bookings. */
  readonly exact: ReadonlySet<Asset> | "all";
};

type Parts = {
  readonly held: (asset: Asset) => Money | undefined;
  /** Items that the balances may or may not show at this moment. */
  readonly openItems: () => readonly OpenItem[];
  /** A booking is young for this long; the other times follow from it. */
  readonly youngMs: number;
};

/** A round may use balances that are some minutes old, so bookings that were young then are kept for as long. */
const KEPT_TIMES = 4;

const NO_MISMATCH: ReadonlyMap<Asset, Mismatch> = new Map();

export class BalanceCheck {
  private readonly held: Parts["held"];
  private readonly youngMs: number;
  readonly openItems: Parts["openItems"];
  /** Assets that the venue has listed, or that the journal has records of. */
  private readonly listed = new Set<Asset>();
  private readonly bookings = new Map<string, Booking>();
  private mismatches: ReadonlyMap<Asset, Mismatch> = NO_MISMATCH;
  /**
   * When each difference began, according to the journal; for differences that this process has not observed itself.
   */
  private readonly since = new Map<Asset, Millis>();
  /** Since when every answer has been exact; undefined while one is not, or before the first. */
  exactSince: Millis | undefined = undefined;

  constructor({ held, youngMs, openItems }: Parts) {
    this.openItems = openItems;
    this.held = held;
    this.youngMs = youngMs;
  }

  /** Venue minus books. */
  difference(asset: Asset): Money | undefined {
    return this.mismatches.get(asset)?.difference;
  }

  get isClear(): boolean {
    return this.mismatches.size === 0;
  }

  /** `mono` is undefined for bookings that are read back from the journal. */
  booked(id: string, moves: readonly Money[], at: Millis, mono?: Mono): void {
    this.bookings.set(id, { id, moves, at, from: mono });
    for (const { asset } of moves) this.listed.add(asset);
  }

  fold({ asset, amount, at }: BalanceDifference): void {
    if (amount === undefined) this.since.delete(asset);
    else if (!this.since.has(asset)) this.since.set(asset, at);
  }

  /** After an adoption the next answer is judged anew. */
  adopted(amounts: readonly Money[]): void {
    for (const { asset } of amounts) this.listed.add(asset);
    this.mismatches = NO_MISMATCH;
    this.since.clear();
  }

  /** Bookings that were recent at that moment and may not be in the balances yet. */
  young({ at, mono }: Moment): readonly Booking[] {
    const young: Booking[] = [];
    for (const [id, one] of this.bookings) {
      const ageMs = one.from === undefined ? at - one.at : mono - one.from;
      if (ageMs < this.youngMs) young.push(one);
      else if (ageMs >= this.youngMs * KEPT_TIMES) this.bookings.delete(id);
    }
    return young;
  }

  /**
   * `isOpened`: differences count only once the books are opened. `excused`: assets whose difference is explained by a
   * halt for unattributed rows.
   */
  see(
    rows: readonly Balance[],
    now: Moment,
    { isOpened, excused }: { readonly isOpened: boolean; readonly excused: ReadonlySet<Asset> },
  ): CheckResult {
    for (const { asset } of rows) this.listed.add(asset);
    const items = this.openItems();
    if (!isOpened) return { records: [], halt: undefined, exact: new Set() };
    const differences = this.differences(rows, items);
    if (differences.size === 0 && items.length === 0) {
      this.bookings.clear();
      this.exactSince ??= now.at;
      return { records: this.replace(NO_MISMATCH, now.at), halt: negativeHalt(rows), exact: "all" };
    }
    const young = this.young(now);
    const mismatches = new Map<Asset, Mismatch>();
    const exact = new Set(this.listed);
    for (const group of groupsOf(differences, items)) {
      if (isExact(group, differences)) continue;
      for (const asset of group.assets) {
        exact.delete(asset);
        const seen = differences.get(asset);
        if (seen !== undefined) mismatches.set(asset, this.mismatch(seen, group.items, young, now));
      }
    }
    for (const { id, moves } of this.bookings.values())
      if (moves.every(({ asset }) => exact.has(asset))) this.bookings.delete(id);
    const records = this.replace(mismatches, now.at);
    this.exactSince = mismatches.size === 0 ? (this.exactSince ?? now.at) : undefined;
    return { records, halt: negativeHalt(rows) ?? this.halt(now, excused), exact };
  }

  /**
   * Venue minus ledger, non-zero differences only. A missing row counts as zero only where an open item explains it.
   */
  private differences(rows: readonly Balance[], items: readonly OpenItem[]): ReadonlyMap<Asset, Seen> {
    const seen = new Map<Asset, Seen>();
    const named = new Set<Asset>();
    for (const row of rows) {
      named.add(row.asset);
      const venue = totalOf(row);
      const ledger = this.held(row.asset) ?? Money.zero(row.asset);
      if (!venue.equals(ledger)) seen.set(row.asset, { venue, difference: venue.minus(ledger), isUnlisted: false });
    }
    if (items.length === 0 && named.size === this.listed.size) return seen;
    for (const asset of new Set([...this.listed, ...assetsIn(items)])) {
      const ledger = named.has(asset) ? undefined : this.held(asset);
      if (ledger === undefined || ledger.isZero()) continue;
      seen.set(asset, { venue: Money.zero(asset), difference: ledger.negated(), isUnlisted: true });
    }
    return seen;
  }

  private mismatch(seen: Seen, items: readonly OpenItem[], young: readonly Booking[], now: Moment): Mismatch {
    const { asset } = seen.difference;
    const before = this.mismatches.get(asset);
    const since = before?.since ?? this.since.get(asset) ?? now.at;
    const isOutside = seen.isUnlisted || !isInside(seen.difference, items, young);
    return { ...seen, since, from: before?.from ?? now.mono, isOutside };
  }

  /** The start of a difference is journaled, so that a restart does not reset its timer. */
  private replace(mismatches: ReadonlyMap<Asset, Mismatch>, at: Millis): readonly BalanceDifference[] {
    if (mismatches.size === 0 && this.since.size === 0 && this.mismatches.size === 0) return [];
    const begun = [...mismatches].filter(([asset]) => !this.since.has(asset));
    const gone = [...this.since.keys()].filter((asset) => !mismatches.has(asset));
    this.mismatches = mismatches;
    const records = [
      ...begun.map(([asset, { difference: amount }]): BalanceDifference => ({ kind: "difference", at, asset, amount })),
      ...gone.map((asset): BalanceDifference => ({ kind: "difference", at, asset, amount: undefined })),
    ];
    for (const record of records) this.fold(record);
    return records;
  }

  private ageMs({ since, from }: Mismatch, { at, mono }: Moment): number {
    return Math.max(at - since, from === undefined ? 0 : mono - from);
  }

  private haltsAfterMs({ isOutside }: Mismatch): number {
    return isOutside ? this.youngMs : (this.youngMs * 9) / 4;
  }

  frozen(now: Moment): { readonly assets: readonly Asset[]; readonly reason: string } | undefined {
    const frozen = [...this.mismatches].filter(([, one]) => one.isOutside || this.ageMs(one, now) >= this.youngMs / 2);
    if (frozen.length === 0) return undefined;
    const texts = frozen.map(([, one]) => differenceText(one));
    const [, first] = frozen[0] as [Asset, Mismatch];
    const halts = `the bot halts for it after ${durationText(this.haltsAfterMs(first))}`;
    return { assets: frozen.map(([asset]) => asset), reason: `${texts.join("; ")} (${halts})` };
  }

  private halt(now: Moment, excused: ReadonlySet<Asset>): BalanceHalt | undefined {
    const due = [...this.mismatches].filter(
      ([asset, one]) => !excused.has(asset) && this.ageMs(one, now) >= this.haltsAfterMs(one),
    );
    if (due.length === 0) return undefined;
    const assets = due.map(([asset]) => asset).sort();
    const own = this.ofOurs(assets, now);
    const texts = due.map(([, one]) => `${differenceText(one)}, since ${utcText(one.since)}`);
    const ours =
      own.length === 0 ? "nothing of ours is open there" : `of ours there: ${own.map(({ text }) => text).join(", ")}`;
    const beside = own.length === 0 ? "" : ` --beside ${own.map(({ id }) => id).join(" ")}`;
    // A missing row is not a zero balance: a person has to confirm with the venue that nothing is left.
    const unlisted = due.flatMap(([asset, one]) => (one.isUnlisted ? [asset] : []));
    const gone = unlisted.length === 0 ? "" : ` --gone ${unlisted.join(" ")}`;
    const ask = unlisted.length === 0 ? "" : `ask the venue about ${unlisted.join(", ")}, then `;
    return {
      cause: "balances",
      subject: `difference of ${assets.join(", ")}`,
      reason: `${texts.join("; ")}; ${ours}`,
      adopt: `${ask}${ADOPT}${gone}${beside}`,
    };
  }

  /** Our own open and young items in these assets. */
  ofOurs(assets: readonly Asset[], now: Moment): readonly OfOurs[] {
    const isThere = (amounts: readonly Money[]): boolean => amounts.some(({ asset }) => assets.includes(asset));
    const open = this.openItems().filter(({ moves }) => isThere(moves.map(({ most }) => most)));
    const late = this.young(now).filter(({ moves }) => isThere(moves));
    const texts = new Map(late.map(({ id, at }) => [id, `${id}, booked at ${utcText(at)}`]));
    for (const { id, text } of open) texts.set(id, text);
    return Array.from(texts, ([id, text]) => ({ id, text }));
  }

  /**
   * Votes on one unknown outcome; only balances that leave a single explanation count. `askedAt`: when these balances
   * were requested.
   */
  vote(id: string, rows: readonly Balance[], askedAt: Moment): Vote {
    const items = this.openItems();
    const own = items.find((one) => one.id === id);
    if (own === undefined) return { kind: "none", reason: `${id} has no amounts to vote on` };
    const assets = own.moves.map(({ most }) => most.asset);
    const partial = rows.find(({ asset, pending }) => assets.includes(asset) && pending === undefined);
    if (partial !== undefined)
      return {
        ...{ kind: "none", isUnstated: this.vote(id, rows.map(withoutPending), askedAt).kind === "absent" },
        reason: `the venue does not state what is pending of ${partial.asset}`,
      };
    const young = this.young(askedAt).find(({ moves }) => moves.some(({ asset }) => assets.includes(asset)));
    if (young !== undefined) return { kind: "none", reason: `the balances may not show ${young.id} yet` };
    const differences = this.differences(rows, items);
    const group = groupsOf(differences, items).find((one) => one.items.includes(own));
    const sets =
      group === undefined ? [] : setsOf(group.items).filter((set) => explains(set, group.assets, differences));
    // A lasting difference raises its own halt.
    if (sets.length === 0) return { kind: "none", reason: "the balances differ by more than what is open" };
    const isIn = sets.map((set) => set.includes(own));
    if (isIn.includes(true) && isIn.includes(false))
      return { kind: "none", reason: "the balances are explained with it and without it" };
    if (isIn[0] !== true) return { kind: "absent" };
    const isIts = sets.length === 1 && sets[0]?.length === 1;
    return {
      kind: "landed",
      moves: isIts ? assets.map((one) => differences.get(one)?.difference ?? Money.zero(one)) : [],
    };
  }

  /** Whether these balances would be exact if this request or payment were closed and these moves booked. */
  wouldBeExact(
    rows: readonly Balance[],
    closed: { readonly id: string; readonly assets: readonly Asset[] },
    moves: readonly Money[],
  ): boolean {
    const items = this.openItems().filter(({ id }) => id !== closed.id);
    const held = (asset: Asset): Money =>
      Money.sum([this.held(asset) ?? Money.zero(asset), ...moves.filter((one) => one.asset === asset)], asset);
    const after = new BalanceCheck({ held, openItems: () => items, youngMs: this.youngMs });
    const touched = new Set([...closed.assets, ...moves.map(({ asset }) => asset)]);
    // A missing row is not a zero balance.
    for (const asset of touched) after.listed.add(asset);
    const differences = after.differences(rows, items);
    return groupsOf(differences, items)
      .filter(({ assets }) => [...assets].some((asset) => touched.has(asset)))
      .every((group) => isExact(group, differences));
  }
}

type Seen = Pick<Mismatch, "venue" | "difference" | "isUnlisted">;
type Differences = ReadonlyMap<Asset, Seen>;
type Group = { readonly assets: ReadonlySet<Asset>; readonly items: readonly OpenItem[] };

/** Groups assets that are linked by an item moving several of them, each group with its items. */
function groupsOf(differences: Differences, items: readonly OpenItem[]): readonly Group[] {
  const groups: { assets: Set<Asset>; items: OpenItem[] }[] = [...differences.keys()].map((asset) => ({
    assets: new Set([asset]),
    items: [],
  }));
  for (const item of items) {
    const assets = new Set(item.moves.map(({ most }) => most.asset));
    const touched = groups.filter((group) => [...assets].some((asset) => group.assets.has(asset)));
    for (const group of touched) {
      groups.splice(groups.indexOf(group), 1);
      for (const asset of group.assets) assets.add(asset);
    }
    groups.push({ assets, items: [...touched.flatMap((group) => group.items), item] });
  }
  return groups;
}

/** No item, each item alone, and all items together. */
function setsOf(items: readonly OpenItem[]): readonly (readonly OpenItem[])[] {
  return [[], ...items.map((one) => [one]), ...(items.length > 1 ? [items] : [])];
}

function isExact({ assets, items }: Group, differences: Differences): boolean {
  return setsOf(items).some((set) => explains(set, assets, differences));
}

function explains(set: readonly OpenItem[], assets: ReadonlySet<Asset>, differences: Differences): boolean {
  for (const asset of assets) {
    const difference = differences.get(asset)?.difference ?? Money.zero(asset);
    if (!isBetween(difference, movesIn(set, asset))) return false;
  }
  return true;
}

/** Whether the difference lies between the minimum and maximum sums of these ranges. */
function isBetween(difference: Money, ranges: readonly Range[]): boolean {
  const sumOf = (amounts: readonly Money[]): Money => Money.sum(amounts, difference.asset);
  const [least, most] = [sumOf(ranges.map((one) => one.least)), sumOf(ranges.map((one) => one.most))];
  return difference.atLeast(least) && difference.atMost(most);
}

/** Whether the difference lies between the least and the most that all open and young items could add up to. */
function isInside(difference: Money, items: readonly OpenItem[], young: readonly Booking[]): boolean {
  const { asset } = difference;
  const zero = Money.zero(asset);
  const unseen = young.flatMap(({ moves }) => moves.map((one) => one.negated())).filter((one) => one.asset === asset);
  const ranges = [...movesIn(items, asset), ...unseen.map((one) => ({ least: one, most: one }))];
  return isBetween(
    difference,
    ranges.map(({ least, most }) => ({ least: least.min(zero), most: most.max(zero) })),
  );
}

function movesIn(items: readonly OpenItem[], asset: Asset): readonly Range[] {
  return items.flatMap(({ moves }) => moves.filter(({ most }) => most.asset === asset));
}

function assetsIn(items: readonly OpenItem[]): ReadonlySet<Asset> {
  return new Set(items.flatMap(({ moves }) => moves.map(({ most }) => most.asset)));
}

/** The total is `available` alone where the venue does not state `pending`. */
export function totalOf({ available, pending }: Balance): Money {
  return pending === undefined ? available : available.plus(pending);
}

function withoutPending(row: Balance): Balance {
  return { ...row, pending: Money.zero(row.asset) };
}

function differenceText({ venue, difference, isUnlisted }: Seen): string {
  const { asset } = difference;
  const ledger = venue.minus(difference);
  if (isUnlisted) return `the venue no longer lists ${asset}, of which the books have ${ledger}`;
  return `the venue has ${venue} ${asset} and the books ${ledger}, a difference of ${difference}`;
}

function negativeHalt(rows: readonly Balance[]): BalanceHalt | undefined {
  const below = rows.find(({ available, pending }) => available.isNegative() || pending?.isNegative() === true);
  if (below === undefined) return undefined;
  const { asset, available, pending } = below;
  const reason = `balances must not be negative, were ${available} available and ${pending ?? "an unknown amount"} pending of ${asset}`;
  return { cause: "balances", subject: `negative ${asset}`, reason, adopt: `ask the venue about ${asset}` };
}
