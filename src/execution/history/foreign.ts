// What the venue's histories show and our journal does not know. It stays until a person has taken it over: an adoption
// covers all rows up to a time of the venue, and by id those that have none and the newest of the others, whose times may have
// been those of a wrong clock.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { HistoryMark } from "../../journal/record.ts";
import type { Conflict } from "../submission.ts";

export type HistoryRow = {
  /** Like `trade:t17`. */
  readonly key: string;
  readonly at: Millis | undefined;
  readonly text: string;
  /** It has no id, so that rows with the same content cannot be told apart: each of them has to be taken over. */
  readonly isNameless?: boolean;
  /** What a stop for it is about: the same for a trade and for its order, whichever is found first. */
  readonly subject: string;
  /** What it may have moved. */
  readonly assets: readonly Asset[];
  /** What it did move, where it says so. */
  readonly moved?: readonly Money[] | undefined;
  /** A trade whose order has an id as this bot makes them, and is not in the journal: the record of it was lost, as after restoring a backup. */
  readonly isLost?: boolean;
  /** Set where the row contradicts the journal: the order of ours whose strategy was told otherwise. */
  readonly belied?: Belied | undefined;
};

/** `isUnbooked`: a trade, which nobody books, of an order that was given up: its strategy was told that it had not filled. */
export type Belied = { readonly order: string; readonly isUnbooked: boolean };

const CONTESTED = "contested:";

/**
 * A row about an order of ours that contradicts the journal. An adoption takes over exactly what the row shows, and nothing that it may
 * show later; its time does not count, for it may be older than earlier adoptions. What it moved is stated only where none of it is booked.
 */
export function contested(
  { text, subject, assets, isNameless = false, moved }: HistoryRow,
  belied?: Belied,
): HistoryRow {
  const key = `${CONTESTED}${text}`;
  const shown = `${text} (the journal has it otherwise)`;
  const unbooked = belied?.isUnbooked === true ? moved : undefined;
  return { key, at: undefined, text: shown, subject, assets, isNameless, moved: unbooked, belied };
}

export function isContested({ key }: Pick<HistoryRow, "key">): boolean {
  return key.startsWith(CONTESTED);
}

/** More are counted and not kept. */
const KEPT_MAX = 1_000;
const NOTHING: ReadonlySet<Asset> = new Set();

/** Counts the rows of one answer by key, with the one at hand. */
export class SeenRows {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

/** The same at a start and later, so that one row is one stop, however many there are. */
export function strangersStop(rows: readonly HistoryRow[]): Conflict | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const more = rows.length > 1 ? ` and ${rows.length - 1} more` : "";
  const reason = `the venue shows ${first.text}${more}, of which the journal knows nothing`;
  return { cause: "foreign", subject: first.subject, reason };
}

export class Foreign {
  #until = Number.NEGATIVE_INFINITY;
  /** How often each key was taken over. */
  readonly #ids = new Map<string, number>();
  readonly #rows = new Map<string, HistoryRow>();
  /** A contradicting row was taken over at some time: only then are rows made into keys to be looked up. */
  hasContested = false;

  /** The venue had no row at all when the books were opened. */
  isUntouched = true;

  /** It is no younger than the newest row that was taken over. */
  isOld({ at }: Pick<HistoryRow, "at">): boolean {
    return at !== undefined && at <= this.#until;
  }

  /** `seen`: the rows before it in the same answer. */
  covers({ key, at, isNameless = false }: Pick<HistoryRow, "key" | "at" | "isNameless">, seen: SeenRows): boolean {
    if (this.isOld({ at })) return true;
    const times = this.#ids.get(key);
    return times !== undefined && (!isNameless || seen.count(key) <= times);
  }

  add(row: HistoryRow): void {
    if (this.#rows.size < KEPT_MAX && !this.#rows.has(row.key)) this.#rows.set(row.key, row);
  }

  /** For a row that contradicts the journal: whether a person has seen and accepted just this. */
  isAccepted(row: HistoryRow, seen: SeenRows): boolean {
    return this.hasContested && this.covers(contested(row), seen);
  }

  adopt({ until, ids }: HistoryMark): void {
    if (until !== undefined || ids.length > 0) this.isUntouched = false;
    if (until !== undefined) this.#until = Math.max(this.#until, until);
    for (const id of ids) {
      this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
      this.#rows.delete(id);
      if (isContested({ key: id })) this.hasContested = true;
    }
    for (const row of this.#rows.values()) if (this.isOld(row)) this.#rows.delete(row.key);
  }

  rows(): readonly HistoryRow[] {
    return [...this.#rows.values()];
  }

  /** The assets that these rows may have moved: a difference there is their effect. */
  moved(): ReadonlySet<Asset> {
    return this.isEmpty ? NOTHING : new Set(this.rows().flatMap(({ assets }) => assets));
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** The stop for these rows. */
  get stop(): Conflict | undefined {
    return this.isEmpty ? undefined : strangersStop(this.rows());
  }
}
