// What the venue's histories show and our journal does not know. It stays until a person has taken it over: an adoption
// covers all rows up to a time of the venue, and by id those that have none and the newest of the others, whose times may have
// been those of a wrong clock.

import type { Asset } from "../domain/asset.ts";
import type { Money } from "../domain/money/money.ts";
import type { Millis } from "../domain/time.ts";
import type { HistoryMark } from "../journal/record.ts";
import type { Conflict } from "./submission.ts";

export type HistoryRow = {
  /** Like `trade:t17`. */
  readonly key: string;
  readonly at: Millis | undefined;
  readonly text: string;
  /** Nothing tells it from another one that shows the same: each of them has to be taken over. */
  readonly isNameless?: boolean;
  /** Of whoever finds a part of it: a trade and its order are one thing. */
  readonly subject: string;
  /** What it may have moved. */
  readonly assets: readonly Asset[];
  /** What it did move, where it says so. */
  readonly moved?: readonly Money[] | undefined;
  /** A trade whose order has an id as bots like this one make them, and which the journal does not know: it was lost with what came after a backup. */
  readonly isLost?: boolean;
  /** Of a row that is not as the journal has it: the order of ours whose strategy was told otherwise, and what. */
  readonly belied?: Belied | undefined;
};

/** `isUnbooked`: a trade of an order that was given up, and which nobody books; it was told that it had not filled. */
export type Belied = { readonly order: string; readonly isUnbooked: boolean };

const CONTESTED = "contested:";

/**
 * A row about an order of ours that is not as the journal has it. Taken over is what it shows, to the letter, and nothing that it
 * may show later; its time says nothing, for it may be older than what was taken over before. What it moved is told only where
 * nothing of it is booked.
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

/** Of one answer: how many rows of a key there were so far, the one at hand counted. */
export class SeenRows {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

/** The same at a start and later: one row is one stop, however many there are besides. */
export function strangersStop(rows: readonly HistoryRow[]): Conflict | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const more = rows.length > 1 ? ` and ${rows.length - 1} more` : "";
  const reason = `the venue shows ${first.text}${more}, of which the journal knows nothing`;
  return { cause: "foreign", subject: first.subject, reason };
}

export class Foreign {
  #until = Number.NEGATIVE_INFINITY;
  /** How often each was taken over. */
  readonly #ids = new Map<string, number>();
  readonly #rows = new Map<string, HistoryRow>();
  /** Some was taken over: only then a row has to be put into words to be looked up. */
  hasContested = false;

  /** The venue had no row at all when the books were opened. */
  isUntouched = true;

  /** From before the newest that was taken over. */
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

  /** Of a row that contradicts what is known of an order of ours: whether a person has seen and accepted just this. */
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

  /** All that these rows may have moved: what differs there is their effect. */
  moved(): ReadonlySet<Asset> {
    return this.isEmpty ? NOTHING : new Set(this.rows().flatMap(({ assets }) => assets));
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Why nothing goes out. */
  get stop(): Conflict | undefined {
    return this.isEmpty ? undefined : strangersStop(this.rows());
  }
}
