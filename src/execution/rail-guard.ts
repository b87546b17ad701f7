// When rails may be used. The venue's whitelist is remembered as it was first seen or last acknowledged: another one, or a payment
// that is not what was expected, freezes rails until a person has looked. No new address is used silently.

import { printable } from "../domain/outside-text.ts";
import type { Millis } from "../domain/time.ts";
import type { WithdrawAddress } from "../exchange/port.ts";
import type { RailsRecord } from "../journal/record.ts";

export const ACKNOWLEDGE = 'pegbot rails --acknowledge --reason "..."';

const SHOWN_MAX = 3;
/** In characters: where there are very many reasons, the oldest are in the journal only. */
export const REASON_MAX = 2_000;

export class RailGuard {
  #known: readonly string[] | undefined;
  #frozen: RailsRecord | undefined;

  fold(record: RailsRecord): void {
    if (record.state === "frozen") this.#frozen = record;
    else this.#known = record.whitelist ?? this.#known;
    // Only a person lets them go.
    if (record.state === "released") this.#frozen = undefined;
  }

  /** Why rails are frozen. */
  get reason(): string | undefined {
    return this.#frozen?.reason;
  }

  /** When the last of its reasons came. */
  get since(): Millis | undefined {
    return this.#frozen?.at;
  }

  /** Takes the venue's whitelist as it is now, and gives what is to be recorded where it is news. */
  see(rows: readonly WithdrawAddress[], at: Millis): RailsRecord | undefined {
    const whitelist = whitelistOf(rows);
    if (this.#known === undefined)
      return this.#take({ kind: "rails", at, state: "seen", whitelist, reason: "first seen", by: "bot" });
    const changes = changesBetween(this.#known, whitelist);
    if (changes.length === 0 || isSame(this.#frozen?.whitelist, whitelist)) return undefined;
    const more = changes.length > SHOWN_MAX ? ` and ${changes.length - SHOWN_MAX} more` : "";
    const reason = `the venue's whitelist has changed: ${changes.slice(0, SHOWN_MAX).join(", ")}${more}`;
    return this.#take({ kind: "rails", at, state: "frozen", whitelist, reason: this.#withOlder(reason), by: "bot" });
  }

  freeze(reason: string, at: Millis): RailsRecord {
    const whitelist = this.#frozen?.whitelist;
    return this.#take({ kind: "rails", at, state: "frozen", whitelist, reason: this.#withOlder(reason), by: "bot" });
  }

  /** Whoever lets rails go has to have seen every reason. */
  #withOlder(reason: string): string {
    const older = this.#frozen?.reason;
    return older === undefined ? reason : `${reason}; before that: ${older}`.slice(0, REASON_MAX);
  }

  #take(record: RailsRecord): RailsRecord {
    this.fold(record);
    return record;
  }
}

/** One line for each address, in an order that does not depend on the venue's. */
export function whitelistOf(rows: readonly WithdrawAddress[]): readonly string[] {
  const lines = rows.map(({ asset, blockchain, address, label, status }) =>
    [asset, blockchain, address, label, status].map((part) => printable(part ?? "-", 120)).join(" "),
  );
  return [...new Set(lines)].sort();
}

function changesBetween(known: readonly string[], now: readonly string[]): readonly string[] {
  const added = now.filter((line) => !known.includes(line)).map((line) => `new is ${line}`);
  return [...added, ...known.filter((line) => !now.includes(line)).map((line) => `gone is ${line}`)];
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one !== undefined && changesBetween(one, other).length === 0;
}
