// Notices about requests of unknown outcome, about questions to a person, and about the end of each unknown outcome.

import type { OrderReport } from "../../domain/event.ts";
import type { MovementReport } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import { doubtsOf, type Status } from "../status.ts";
import { closingOrder } from "../step-log.ts";
import type { Notice } from "./notice.ts";

export interface DoubtNotices {
  ofReport(id: string, report: OrderReport | MovementReport, at: Millis): readonly Notice[];
  /** Reports the end of every doubt that a status has shown, including doubts left by a command. */
  ofStatus(status: Status): readonly Notice[];
}

/** The description of a request by its id; undefined if unknown. */
export type TitleOf = (id: string) => string | undefined;

export function createDoubtNotices(titleOf: TitleOf = () => undefined): DoubtNotices {
  const open = new Set<string>();
  /** Doubts that the last status no longer showed. */
  let gone: readonly string[] = [];

  function doubt(
    key: string,
    urgency: Notice["urgency"],
    id: string,
    at: Millis,
    [what, cause, wayOut]: Words,
    isOver = false,
  ): Notice {
    const title = titleOf(id);
    const fields = { id, what: title === undefined ? what : `${what} (${title})`, cause, wayOut };
    return { kind: "doubt", urgency, key, at, fields, ...(isOver ? { ends: id } : { about: id }) };
  }

  return {
    ofReport(id, report, at) {
      if (report.kind === "doubt") {
        open.add(id);
        return [doubt(`doubt:${id}`, "critical", id, at, ["may have happened", report.cause, evidenceFirst(id)])];
      }
      if (report.kind !== "escalated") return [];
      const wayOut = "wayOut" in report ? report.wayOut : closingOrder(id);
      // Each new question about the same request is a notice; the journal has each of them once.
      const key = `escalated:${id}:${report.reason}`;
      return [doubt(key, "critical", id, at, ["waits for a person", report.reason, wayOut])];
    },
    /** An end is sent when a second status shows it: at the first, its record may not be on disk yet. */
    ofStatus(status) {
      const now = new Set(doubtsOf(status).map(({ id }) => id));
      for (const id of now) open.add(id);
      const over = gone.filter((id) => !now.has(id));
      for (const id of over) open.delete(id);
      gone = [...open].filter((id) => !now.has(id));
      const { at } = status;
      return over.map((id) =>
        doubt(
          `over:${id}:${at}`,
          "warning",
          id,
          at,
          ["is in doubt no more", endText(status, id), "none is needed"],
          true,
        ),
      );
    },
  };
}

type Words = readonly [what: string, cause: string, wayOut: string];

function evidenceFirst(id: string): string {
  return `the bot asks the venue; what that does not tell it asks a person, who decides with pegbot resolve ${id}`;
}

const UNDECIDED: ReadonlySet<string> = new Set(["sending", "doubt", "escalated"]);

function endText({ decisions, flights = [], open }: Status, id: string): string {
  const order = decisions.find((one) => one.clientOrderId === id && !UNDECIDED.has(one.outcome));
  if (order !== undefined) return order.note === "" ? order.outcome : `${order.outcome}: ${order.note}`;
  const flight = flights.find((one) => one.id === id);
  if (flight !== undefined) return `it happened, ${flight.spent} are gone for it`;
  return open.some((one) => one.id === id) ? "it happened" : "it is over; pegbot journal list shows how it ended";
}
