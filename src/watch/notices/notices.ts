// Messages to people, from the status alone: each need once, its end where it matters, and fills above a value. The same
// matter is not told again within `repeatMs`, and no message contains a secret. Sending cannot block or stop the bot.

import { amountText } from "../../domain/amount-text.ts";
import { redacted } from "../../domain/redact.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Clock, millis, type Timers } from "../../domain/time.ts";
import { Memory } from "../memory.ts";
import type { Need, ShownFill, Status } from "../status.ts";
import type { Channel } from "./channel.ts";
import type { Message } from "./notice.ts";
import { createOutbox } from "./outbox.ts";

export type NoticeSettings = {
  /** The minimum value of a fill to be sent, in the currency of the limits. */
  readonly fillValueMin: number;
  readonly repeatMs: number;
  readonly perHourMax: number;
  /** Precedes every message and names the bot. */
  readonly name: string;
};

export type NoticeParts = {
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: NoticeSettings;
  readonly told: (channel: Channel["name"], outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;
};

export type Notices = ReturnType<typeof createNotices>;

type Words = Pick<Message, "kind" | "urgency" | "text" | "about" | "ends">;

const TEXT_MAX = 2_000;

export function createNotices({ channels, clock, timers, settings, told }: NoticeParts) {
  const { name, fillValueMin, repeatMs, perHourMax } = settings;
  const toldAt = new Memory<number>();
  let before: readonly Need[] = [];
  /** Fills of an earlier process are not told. */
  let known: ReadonlySet<string> | undefined;
  const outboxes = channels.map((channel) =>
    createOutbox(channel, {
      ...{ clock, timers, perHourMax },
      told: (outcome, reason) => told(channel.name, outcome, reason),
    }),
  );

  function tell({ kind, urgency, text, about, ends }: Words): void {
    const message: Message = {
      ...{ kind, urgency, about, ends, at: millis(clock.now()) },
      title: redacted(`${name}: ${kind}`),
      text: redacted(printable(text, TEXT_MAX)),
    };
    for (const outbox of outboxes) outbox.put(message);
  }

  function isNews(id: string): boolean {
    const now = clock.monotonic();
    const last = toldAt.get(id);
    if (last !== undefined && now - last < repeatMs) return false;
    toldAt.set(id, now);
    return true;
  }

  function began({ id, kind, urgency, what, wayOut, isAsked }: Need): void {
    // A trouble of the machine is reported when it is found and when it ends.
    if (kind === "machine" || !isNews(id)) return;
    const about = isAsked || urgency === "critical" ? id : undefined;
    tell({ kind, urgency, text: `${what}. Way out: ${wayOut}`, about });
  }

  function ended(need: Need, status: Status): void {
    const { id, kind } = need;
    // Another age of the same matter, or another question about it, is not its end.
    if (status.needs.some(({ matter }) => matter === need.matter)) return;
    const text = endText(need, status);
    if (text === undefined) {
      for (const outbox of outboxes) outbox.withdraw(id);
      return;
    }
    toldAt.set(id, Number.NEGATIVE_INFINITY);
    tell({ kind: kind === "stop" ? "resume" : kind, urgency: "warning", text, ends: id });
  }

  return {
    /** Called every second, and at once with each change of the trading state. `fills`: newest last. */
    look(status: Status, fills: readonly ShownFill[]) {
      // Before the journal is read nothing is known to have ended.
      if (status.totals === undefined) return;
      const { needs } = status;
      for (const need of before) if (!needs.some(({ id }) => id === need.id)) ended(need, status);
      for (const need of needs) if (!before.some(({ id }) => id === need.id)) began(need);
      before = needs;
      const seen = known;
      known = new Set(fills.map(({ clientOrderId }) => clientOrderId));
      for (const fill of fills)
        if (seen?.has(fill.clientOrderId) === false && !(Number(fill.value) < fillValueMin))
          tell({ kind: "fill", urgency: "info", text: fillText(fill, status.equity.currency) });
    },
    /** Reports a problem of the bot's machine that does not stop the bot. */
    warn: (what: string) => isNews(what) && tell({ kind: "machine", urgency: "warning", text: what }),
    test: (by: string) =>
      tell({ kind: "test", urgency: "info", text: `this is a test, sent by ${by}: messages of the bot arrive here` }),
    close: () => {
      for (const outbox of outboxes) outbox.close();
    },
  };
}

/** Undefined where the end of a matter is no news. */
function endText({ kind, matter, what }: Need, status: Status): string | undefined {
  const { state, reason, by } = status.standing;
  if (kind === "stop")
    return state === "ACTIVE" ? `resumed by ${by}: ${reason}` : `lifted: ${what}; ${state} stands: ${reason}`;
  const subject = matter.slice(matter.indexOf(":") + 1);
  if (kind === "doubt") return `${subject} is in doubt no more: ${outcomeText(status, subject)}`;
  return matter.startsWith("hold:") ? `no longer: ${what}` : undefined;
}

const UNDECIDED: ReadonlySet<string> = new Set(["sending", "doubt", "escalated"]);

function outcomeText({ decisions, flights = [], open }: Status, id: string): string {
  const order = decisions.find((one) => one.clientOrderId === id && !UNDECIDED.has(one.outcome));
  if (order !== undefined) return order.note === "" ? order.outcome : `${order.outcome}: ${order.note}`;
  const flight = flights.find((one) => one.id === id);
  if (flight !== undefined) return `it happened, ${flight.spent} are gone for it`;
  return open.some((one) => one.id === id) ? "it happened" : "it is over; pegbot journal list shows how it ended";
}

function fillText(
  { side, size, symbol, price, value, bought, sold, fee, feeAsset }: ShownFill,
  currency: string,
): string {
  const worth = value === undefined ? amountText(side === "buy" ? sold : bought) : `${amountText(value)} ${currency}`;
  return `${side} ${size} ${symbol} at ${price.toFixed(6)}, worth ${worth}, fee ${fee} ${feeAsset}`;
}
