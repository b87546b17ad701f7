// A read of the venue as a person or a script sees it: which question is asked, and what each row shows. Table and JSON
// come from the same fields, so they cannot differ.

import type { Millis } from "../../../domain/time.ts";
import type { Exchange, Reading } from "../../../exchange/port.ts";

export type Field<T> = {
  /** The name in JSON; the table's title is the same in words. */
  readonly name: string;
  readonly align?: "right";
  /** Undefined means that the venue did not say: a dash in the table, null in JSON. */
  readonly value: (row: T) => string | undefined;
};

export type Report<T> = {
  /** Said when there are no rows. */
  readonly none: string;
  readonly fields: readonly Field<T>[];
  readonly ask: (exchange: Exchange) => Promise<Reading<readonly T[]>>;
};

export function timeText(at: Millis | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
