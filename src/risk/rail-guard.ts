// Rails may be used while the venue's whitelist equals the one first seen or last acknowledged, and every payment is as
// expected.

import type { RailsRecord } from "../domain/rail.ts";
import { printable } from "../domain/sanitise.ts";
import type { Millis } from "../domain/time.ts";

/** A row of the venue's whitelist. */
type Whitelisted = Readonly<Record<"asset" | "blockchain" | "address" | "label" | "status", string | undefined>>;

export const ACKNOWLEDGE = 'pegbot rails --acknowledge --reason "..."';

const SHOWN_MAX = 3;
/** In characters; older reasons beyond it are only in the journal. */
export const REASON_MAX = 2_000;

/**
 * Freezes rails when the whitelist differs from the one first seen or last acknowledged, or a payment is odd, until a
 * person acknowledges it.
 */
export class RailGuard {
  private known: readonly string[] | undefined;
  private frozen: RailsRecord | undefined;

  fold(record: RailsRecord): void {
    if (record.state === "frozen") this.frozen = record;
    else this.known = record.whitelist ?? this.known;
    if (record.state === "released") this.frozen = undefined;
  }

  get reason(): string | undefined {
    return this.frozen?.reason;
  }

  get since(): Millis | undefined {
    return this.frozen?.at;
  }

  /** Takes the venue's current whitelist; returns a record if it changed. */
  see(rows: readonly Whitelisted[], at: Millis): RailsRecord | undefined {
    const whitelist = whitelistOf(rows);
    if (this.known === undefined)
      return this.take({ kind: "rails", at, state: "seen", whitelist, reason: "first seen", by: "bot" });
    const changes = changesBetween(this.known, whitelist);
    const isKnown =
      this.frozen?.whitelist !== undefined && changesBetween(this.frozen.whitelist, whitelist).length === 0;
    if (changes.length === 0 || isKnown) return undefined;
    const more = changes.length > SHOWN_MAX ? ` and ${changes.length - SHOWN_MAX} more` : "";
    const reason = `the venue's whitelist has changed: ${changes.slice(0, SHOWN_MAX).join(", ")}${more}`;
    const { about } = this.frozen ?? {};
    return this.take({
      kind: "rails",
      at,
      state: "frozen",
      whitelist,
      reason: this.withOlder(reason),
      by: "bot",
      about,
    });
  }

  isAbout(row: string): boolean {
    return this.frozen?.about?.includes(row) === true;
  }

  /** `row`: the payment, with what it says. */
  freeze(given: string, row: string, at: Millis): RailsRecord {
    const { whitelist, about = [] } = this.frozen ?? {};
    const reason = this.withOlder(given);
    return this.take({ kind: "rails", at, state: "frozen", whitelist, reason, by: "bot", about: [...about, row] });
  }

  /** A person who releases rails must have seen every reason. */
  private withOlder(reason: string): string {
    const older = this.frozen?.reason;
    return older === undefined ? reason : `${reason}; before that: ${older}`.slice(0, REASON_MAX);
  }

  private take(record: RailsRecord): RailsRecord {
    this.fold(record);
    return record;
  }
}

/** One line for each address, in a canonical order. */
export function whitelistOf(rows: readonly Whitelisted[]): readonly string[] {
  const lines = rows.map(({ asset, blockchain, address, label, status }) =>
    [asset, blockchain, address, label, status].map((part) => printable(part ?? "-", 120)).join(" "),
  );
  return [...new Set(lines)].sort();
}

function changesBetween(known: readonly string[], now: readonly string[]): readonly string[] {
  const added = now.filter((line) => !known.includes(line)).map((line) => `new is ${line}`);
  return [...added, ...known.filter((line) => !now.includes(line)).map((line) => `gone is ${line}`)];
}
