// Messages of requests with an unknown outcome, and of the end of each.

import type { OrderReport } from "../../domain/event.ts";
import type { MovementEvent } from "../../domain/movement.ts";
import { UNLISTED } from "../../domain/rail.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { Memory } from "../memory.ts";
import { doubtsOf, type Status } from "../status.ts";
import { closingOrder } from "../step-log.ts";
import type { Notice } from "./notice.ts";

export interface DoubtNotices {
  ofReport(id: string, report: OrderReport, at: Millis): readonly Notice[];
  ofMovement(event: MovementEvent, at: Millis): readonly Notice[];
  /** Of what ended without a record of ours that says so. */
  ofStatus(status: Status): readonly Notice[];
}

const ENDS: readonly string[] = ["departed", "told", "released", "returned", "arrived"];

/** Of steps that another process wrote these alone are sent: a doubt of its own that process reports itself. */
export function endsDoubt({ event }: Step): boolean {
  return event.kind === "movement" && ENDS.includes(event.report.kind);
}

/** What a request of ours is, by its id; undefined where it is unknown. */
export type TitleOf = (id: string) => string | undefined;

export function createDoubtNotices(titleOf: TitleOf = () => undefined): DoubtNotices {
  const doubts = new Doubts(titleOf);
  return {
    ofReport: (id, report, at) => reported(doubts, id, report, at),
    ofMovement: (event, at) => moved(doubts, event, at),
    ofStatus: (status) => doubts.look(status),
  };
}

function reported(doubts: Doubts, id: string, report: OrderReport, at: Millis): readonly Notice[] {
  switch (report.kind) {
    case "filled":
      return doubts.over(id, "it filled", at);
    case "dead":
      return doubts.over(id, `it did not happen: ${report.reason}`, at);
    case "rejected":
      return doubts.over(id, `it did not happen: ${report.message}`, at);
    case "doubt":
      return [doubts.raise("doubt", id, at, { cause: report.cause, wayOut: evidenceFirst(id) })];
    case "escalated":
      return [doubts.raise("escalated", id, at, { cause: report.reason, wayOut: closingOrder(id) })];
    default:
      return [];
  }
}

function moved(doubts: Doubts, { id, report }: MovementEvent, at: Millis): readonly Notice[] {
  switch (report.kind) {
    case "doubt":
      return [doubts.raise("doubt", id, at, { cause: report.cause, wayOut: evidenceFirst(id) })];
    case "escalated":
      return [doubts.raise("escalated", id, at, { cause: report.reason, wayOut: report.wayOut })];
    case "departed":
      return doubts.happened(id, `${report.spent} ${report.spent.asset} are gone for it`, at);
    case "told":
      return doubts.isAsked(id) ? [] : doubts.over(id, toldText(report.status), at);
    case "released":
      return doubts.over(id, `it did not happen: ${report.reason}`, at);
    case "returned":
      return doubts.over(id, `it was given back: ${report.reason}`, at);
    case "arrived":
      return doubts.over(id, "it has arrived", at);
    default:
      return [];
  }
}

function toldText(status: string): string {
  return status === UNLISTED ? "it is there by a person's word" : `the venue lists it as ${status}`;
}

function evidenceFirst(id: string): string {
  return `the bot asks the venue; what that does not tell it asks a person, who decides with pegbot resolve ${id}`;
}

const DOUBTS = { doubt: "may have happened", escalated: "waits for a person" } as const;

/** Which doubts were told, and which of them are over. */
class Doubts {
  readonly #titleOf: TitleOf;
  /** Reported, by an earlier process too: their end is reported as well. */
  readonly #doubted = new Memory<boolean>();
  /** What a person is asked about though it happened (a payment, a mint on one side): no look shows it as in doubt, and a word of the venue ends nothing. */
  readonly #asked = new Memory<boolean>();
  /** Mints in doubt no more, whose cost was not reported yet. */
  readonly #uncosted = new Memory<boolean>();
  /** Those that were reported: by us, or before our first look. A command reports its own doubts and their ends. */
  #called: ReadonlySet<string> = new Set();
  /** Those of them that the last look showed as in doubt no more. */
  #ended: ReadonlySet<string> = new Set();
  #isFirstLook = true;

  constructor(titleOf: TitleOf) {
    this.#titleOf = titleOf;
  }

  isAsked(id: string): boolean {
    return this.#asked.get(id) === true;
  }

  raise(word: keyof typeof DOUBTS, id: string, at: Millis, why: { cause: string; wayOut: string }): Notice {
    const isAsked = word === "escalated" && (this.#doubted.get(id) !== true || this.isAsked(id));
    this.#asked.set(id, isAsked);
    this.#doubted.set(id, true);
    if (!isAsked) this.#called = new Set([...this.#called, id]);
    const fields = { id, what: `${DOUBTS[word]}${this.#titled(id)}`, ...why };
    // Another question about the same is another message: each is on record once.
    const key = word === "escalated" ? `${word}:${id}:${why.cause}` : `${word}:${id}`;
    return { kind: "doubt", urgency: "critical", key, at, fields };
  }

  /** The end of a doubt that was reported. */
  over(id: string, how: string, at: Millis): readonly Notice[] {
    if (this.#doubted.get(id) !== true) return [];
    this.#doubted.set(id, false);
    this.#asked.set(id, false);
    return [this.#good(`over:${id}:${at}`, id, "is in doubt no more", how, at)];
  }

  happened(id: string, cost: string, at: Millis): readonly Notice[] {
    const told = this.over(id, `it happened, ${cost}`, at);
    if (told.length > 0 || this.#uncosted.get(id) !== true) return told;
    this.#uncosted.set(id, false);
    return [this.#good(`cost:${id}`, id, "is booked", cost, at)];
  }

  /** An end is sent at the second look that shows it: at the first its record may be on the way to the disk. */
  look({ open, at }: Status): readonly Notice[] {
    const now = new Set(doubtsOf({ open }).map(({ id }) => id));
    for (const id of now) this.#doubted.set(id, true);
    const notices = [...this.#ended].flatMap((id) => (now.has(id) ? [] : this.over(id, this.#endText(open, id), at)));
    const called = [...(this.#isFirstLook ? now : []), ...this.#called];
    this.#called = new Set(called.filter((id) => this.#doubted.get(id) === true));
    this.#isFirstLook = false;
    this.#ended = new Set([...this.#called].filter((id) => !now.has(id)));
    return notices;
  }

  #endText(open: Status["open"], id: string): string {
    const found = open.find((one) => one.id === id);
    if (found === undefined) return "it is over; pegbot journal list shows how it ended";
    if (found.kind !== "mint") return "it happened";
    this.#uncosted.set(id, true);
    return "it happened; what it cost is told when the balances show it";
  }

  #good(key: string, id: string, what: string, cause: string, at: Millis): Notice {
    const fields = { id, what: `${what}${this.#titled(id)}`, cause, wayOut: "none is needed" };
    return { kind: "doubt", urgency: "warning", key, at, fields };
  }

  #titled(id: string): string {
    const title = this.#titleOf(id);
    return title === undefined ? "" : ` (${title})`;
  }
}
