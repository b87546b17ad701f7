// Submissions by their ids: those that are kept, as objects or by their places, and what became of older ones: two bits each, so
// that ids of ours are known and a late fill of one that was given up is recognised for as long as the journal goes back. Ids end
// in a count, and so those of one process are found by their number: no text of an order is hashed, and neighbours lie side by side.

import { stemMade } from "../../domain/ids.ts";
import type { Held, Numbered } from "./held.ts";

/** Beyond it the bits of one series would take more room than the ids themselves are likely to. */
const COUNT_MAX = 2 ** 24;

export type PastOrder = "unknown" | PastEnd;
type PastEnd = "filled" | "given-up";

/** What became of orders, as plain data. */
export type SavedPast = {
  readonly series: readonly (readonly [stem: string, bits: string])[];
  readonly others: readonly (readonly [id: string, end: PastOrder])[];
};

/** The submission, or its place where it is kept without an object. */
type Kept = Held | number;

export class ById {
  /** By the part of the id before its count. */
  private readonly series = new Map<string, Series>();
  /** One process writes most. */
  private recent: Series | undefined = undefined;
  /** Ids of another form. */
  private readonly others = new Map<string, Held>();
  private readonly pastOthers = new Map<string, PastOrder>();
  /** Where the count begins that was read last. */
  private start = 0;

  find(id: string): Kept | undefined {
    const count = this.countOf(id);
    return count === 0 ? this.others.get(id) : this.seriesOf(id, count)?.get(count);
  }

  /** What became of one that is no longer kept whole. */
  pastOf(id: string): PastOrder {
    const count = this.countOf(id);
    const past = count === 0 ? this.pastOthers.get(id) : this.seriesOf(id, count)?.pastOf(count);
    return past ?? "unknown";
  }

  /** False, and nothing is done, when its id is known already, whole or from before. */
  add(held: Held): boolean {
    const { id } = held;
    const { recent } = this;
    const next = recent === undefined ? COUNT_MAX : recent.last + 1;
    // Mostly the one that was made after the one before.
    if (recent !== undefined && next < COUNT_MAX && stemMade(id, next) === recent.stem)
      return this.counted(held, recent, next);
    const count = this.countOf(id);
    if (count === 0) {
      if (this.others.has(id) || this.pastOthers.has(id)) return false;
      this.others.set(id, held);
      return true;
    }
    const series = this.seriesOf(id, count) ?? this.begun(stemMade(id, count) ?? id.slice(0, this.start));
    return this.counted(held, series, count);
  }

  private counted(held: Held, series: Series, count: number): boolean {
    if (!series.add(count, held)) return false;
    held.series = series;
    held.count = count;
    return true;
  }

  /** From now on only what became of it is kept; false when that is so already. */
  forget({ id, series, count }: Held, end: PastEnd): boolean {
    if (series !== undefined) return series.forget(count, end);
    if (!this.others.delete(id)) return false;
    this.pastOthers.set(id, end);
    return true;
  }

  /** Of those that are kept too, by `endOf`; those that it knows no end of are left out. */
  save(endOf: (kept: Kept) => PastEnd | undefined): SavedPast {
    const others = new Map(this.pastOthers);
    for (const held of this.others.values()) {
      const end = endOf(held);
      if (end !== undefined) others.set(held.id, end);
    }
    const series = Array.from(this.series.values(), (one) => [one.stem, one.save(endOf)] as const);
    return { series, others: [...others] };
  }

  load({ series, others }: SavedPast): void {
    for (const [stem, bits] of series) this.series.set(stem, new Series(stem, bits));
    for (const [id, end] of others) this.pastOthers.set(id, end);
  }

  /** In no order that means anything. */
  *all(): Iterable<Kept> {
    yield* this.others.values();
    for (const series of this.series.values()) yield* series.all();
  }

  /** Ids end in a count; 0 where one does not. Only its one way of being written counts, so that two ids never share a place. */
  private countOf(id: string): number {
    let count = 0;
    let worth = 1;
    let place = id.length - 1;
    for (; place > 0 && worth < WORTH_MAX; place--, worth *= 10) {
      const digit = id.charCodeAt(place) - ZERO;
      if (digit < 0 || digit > 9) break;
      count += digit * worth;
    }
    this.start = place + 1;
    const isWritten = place > 0 && id.charCodeAt(place) === DASH && 10 * count >= worth;
    return isWritten && count < COUNT_MAX ? count : 0;
  }

  /** Of the id whose count was just read. */
  private seriesOf(id: string, count: number): Series | undefined {
    const { recent, start } = this;
    if (recent !== undefined && recent.stem.length === start && isOf(recent.stem, id, count)) return recent;
    const series = this.series.get(id.slice(0, start));
    if (series !== undefined) this.recent = series;
    return series;
  }

  private begun(stem: string): Series {
    const series = new Series(stem);
    this.series.set(stem, series);
    this.recent = series;
    return series;
  }
}

function isOf(stem: string, id: string, count: number): boolean {
  return stemMade(id, count) === stem || id.startsWith(stem);
}

const ZERO = 48;
const DASH = 45;
/** A count has eight digits at most. */
const WORTH_MAX = 10 ** 8;

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

type Page = { readonly number: number; readonly places: (Kept | undefined)[]; kept: number };

/** All ids that differ in their count alone. */
class Series implements Numbered {
  /** What comes before the count, the dash included. */
  readonly stem: string;
  /** Added last. */
  last = 0;
  private readonly pages = new Map<number, Page>();
  /** Asked for last, by whoever adds or asks, and by those that are let go: these go through the pages far behind the others. */
  private page: Page | undefined = undefined;
  private oldest: Page | undefined = undefined;
  private readonly past: Bits;

  constructor(stem: string, past = "") {
    this.stem = stem;
    this.past = new Bits(past);
  }

  save(endOf: (kept: Kept) => PastEnd | undefined): string {
    const past = new Bits(this.past.text());
    for (const { number, places } of this.pages.values())
      places.forEach((kept, place) => {
        const end = kept === undefined ? undefined : endOf(kept);
        if (end !== undefined) past.end((number << PAGE_BITS) + place, end);
      });
    return past.text();
  }

  get(count: number): Kept | undefined {
    return this.pageOf(count)?.places[count & (PAGE - 1)];
  }

  pastOf(count: number): PastOrder {
    return this.past.endOf(count);
  }

  add(count: number, held: Held): boolean {
    if (this.past.endOf(count) !== "unknown") return false;
    const page = this.pageOf(count) ?? this.begun(count >>> PAGE_BITS);
    if (page.places[count & (PAGE - 1)] !== undefined) return false;
    page.places[count & (PAGE - 1)] = held;
    page.kept++;
    this.last = count;
    return true;
  }

  forget(count: number, end: PastEnd): boolean {
    const number = count >>> PAGE_BITS;
    if (this.oldest?.number !== number) this.oldest = this.pages.get(number);
    const page = this.oldest;
    if (page?.places[count & (PAGE - 1)] === undefined) return false;
    page.places[count & (PAGE - 1)] = undefined;
    if (--page.kept === 0) this.drop(page);
    this.past.end(count, end);
    return true;
  }

  /** It is kept already, in another way. */
  keep(count: number, kept: Kept): void {
    const page = this.pageOf(count);
    if (page !== undefined) page.places[count & (PAGE - 1)] = kept;
  }

  *all(): Iterable<Kept> {
    for (const { places } of this.pages.values()) for (const kept of places) if (kept !== undefined) yield kept;
  }

  private pageOf(count: number): Page | undefined {
    const number = count >>> PAGE_BITS;
    if (this.page?.number !== number) this.page = this.pages.get(number);
    return this.page;
  }

  private begun(number: number): Page {
    // It grows as it fills: a command is a series of its own, with one order or two.
    const page: Page = { number, places: [], kept: 0 };
    this.pages.set(number, page);
    this.page = page;
    return page;
  }

  private drop(page: Page): void {
    this.pages.delete(page.number);
    if (this.page === page) this.page = undefined;
    if (this.oldest === page) this.oldest = undefined;
  }
}

/** Two for each count: whether it is over, and whether it was given up. */
class Bits {
  private words = new Uint32Array(4);

  /** `text`: what another one gave. */
  constructor(text: string) {
    for (const [index, word] of text.split(" ").entries()) if (word !== "") this.put(index, Number.parseInt(word, 36));
  }

  end(count: number, end: PastEnd): void {
    this.set(2 * count);
    if (end === "given-up") this.set(2 * count + 1);
  }

  endOf(count: number): PastOrder {
    if (!this.has(2 * count)) return "unknown";
    return this.has(2 * count + 1) ? "given-up" : "filled";
  }

  /** Equal where equal bits are set. */
  text(): string {
    const { words } = this;
    let length = words.length;
    while (length > 0 && words[length - 1] === 0) length--;
    return Array.from(words.subarray(0, length), (word) => word.toString(36)).join(" ");
  }

  private set(index: number): void {
    this.put(index >>> 5, 1 << (index & 31));
  }

  private put(word: number, bits: number): void {
    if (word >= this.words.length) {
      const more = new Uint32Array(Math.max(word + 1, 2 * this.words.length));
      more.set(this.words);
      this.words = more;
    }
    this.words[word] = (this.words[word] ?? 0) | bits;
  }

  private has(index: number): boolean {
    return ((this.words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }
}
