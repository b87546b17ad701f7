// A notifier with one channel that keeps what it is given, and records of the journal to tell it.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { Control, OrderReport } from "../../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../../src/domain/step.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import type { Channel } from "../../../src/watch/notices/channel.ts";
import type { Message } from "../../../src/watch/notices/notice.ts";
import { createNotices, type NoticeSettings } from "../../../src/watch/notices/notices.ts";
import { START, virtualStage } from "./stage.ts";

const SETTINGS: NoticeSettings = {
  fillValueMin: Quantity.of("1000"),
  currency: "CHF",
  repeatMs: 900_000,
  perHourMax: 100,
  templates: {},
  name: "pegbot test",
};

export function staged(settings: Partial<NoticeSettings> = {}) {
  const stage = virtualStage();
  const messages: Message[] = [];
  const told: string[] = [];
  const channel: Channel = {
    name: "webhook",
    async send(message) {
      messages.push(message);
      return messages.length > 50 ? { reason: "https://hook.test/s3cret is full", isFinal: true } : undefined;
    },
    close: () => {},
  };
  const notices = createNotices({
    ...stage,
    channels: [channel],
    settings: { ...SETTINGS, ...settings },
    told: (name, outcome, reason) => void told.push(`${name} ${outcome} ${reason}`),
  });
  const texts = (): readonly string[] => messages.map(({ text }) => text);
  return { ...stage, notices, messages, texts, told };
}

export function stepOf(event: Step["event"], rest: Partial<Step> = {}): JournalRecord {
  const step = { sequence: 1, at: START, event, decisions: [], commands: [], mark: undefined, ...rest };
  return { kind: "step", at: START, step };
}

export function reported(id: string, report: OrderReport): JournalRecord {
  return stepOf({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt: START });
}

export const HELD_MINT =
  "Way out: write to the venue's support with the request id; nothing of the bot is needed, and the money of the mint is tied up until then";

export function control(change: Control): JournalRecord {
  return stepOf({ kind: "control", control: change, receivedAt: START });
}

export function fill(id: string, quantity: string, symbol = "VCHF/CHF", side: Fill["side"] = "buy"): JournalRecord {
  const [base, quote] = symbol.split("/") as [Asset, Asset];
  const [coins, money] = [Money.of(quantity, base), Price.of("0.999").times(Quantity.of(quantity), quote, "down")];
  const [bought, sold] = side === "buy" ? [coins, money] : [money, coins];
  const legs: Pick<Fill, "bought" | "sold" | "fee"> = { bought, sold, fee: Money.of("0.5", quote) };
  const ids = { clientOrderId: id as ClientOrderId, orderId: "o", tradeId: "t", at: undefined };
  const filled: Fill = { ...ids, symbol: symbol as PairSymbol, side, ...legs };
  return reported(id, { kind: "filled", fill: filled, confirmed: false });
}

/** What was known of the price when it was approved. */
export function approved(id: string, rate: string | undefined): JournalRecord {
  const intent = { clientOrderId: id as ClientOrderId } as OrderIntent;
  const basis = { bid: 1, ask: 1, fair: 1, ageMs: 1, rate: rate === undefined ? undefined : Price.of(rate) };
  const decision: Decision = { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } };
  return stepOf({ kind: "timer", receivedAt: START }, { decisions: [decision] });
}
