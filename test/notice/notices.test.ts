// What is worth a message, in which words, how often, and what must never be in one.

import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Control, OrderReport } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import { UNLISTED } from "../../src/domain/rail.ts";
import type { Command, Decision, OrderIntent, Refusal, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { Channel } from "../../src/notice/channel/channel.ts";
import { endsDoubt } from "../../src/notice/ends-doubt.ts";
import type { Message } from "../../src/notice/notice.ts";
import { createNotices, type NoticeSettings } from "../../src/notice/notices.ts";
import type { Status } from "../../src/telemetry/status.ts";
import { AT, HELD_PAYMENT, quietStatus, submission, WAITING } from "../telemetry/look.ts";
import { START, virtualStage } from "./stage.ts";

const SETTINGS: NoticeSettings = {
  fillValueMin: Quantity.of("1000"),
  currency: "CHF",
  summaryMinute: undefined,
  repeatMs: 900_000,
  perHourMax: 100,
  templates: {},
  name: "pegbot test",
};

function staged(settings: Partial<NoticeSettings> = {}, secrets: readonly string[] = []) {
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
    secrets,
    told: (name, outcome, reason) => void told.push(`${name} ${outcome} ${reason}`),
  });
  const texts = (): readonly string[] => messages.map(({ text }) => text);
  return { ...stage, notices, messages, texts, told };
}

function stepOf(event: Step["event"], rest: Partial<Step> = {}): JournalRecord {
  const step = { sequence: 1, at: START, event, decisions: [], commands: [], mark: undefined, ...rest };
  return { kind: "step", at: START, step };
}

function reported(id: string, report: OrderReport): JournalRecord {
  return stepOf({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt: START });
}

const HELD_MINT =
  "Way out: write to the venue's support with the request id; nothing of the bot is needed, and the money of the mint is tied up until then";

function control(change: Control): JournalRecord {
  return stepOf({ kind: "control", control: change, receivedAt: START });
}

function fill(id: string, quantity: string, symbol = "VCHF/CHF", side: Fill["side"] = "buy"): JournalRecord {
  const [base, quote] = symbol.split("/") as [Asset, Asset];
  const [coins, money] = [Money.of(quantity, base), Price.of("0.999").times(Quantity.of(quantity), quote, "down")];
  const [bought, sold] = side === "buy" ? [coins, money] : [money, coins];
  const legs: Pick<Fill, "bought" | "sold" | "fee"> = { bought, sold, fee: Money.of("0.5", quote) };
  const ids = { clientOrderId: id as ClientOrderId, orderId: "o", tradeId: "t", at: undefined };
  const filled: Fill = { ...ids, symbol: symbol as PairSymbol, side, ...legs };
  return reported(id, { kind: "filled", fill: filled, confirmed: false });
}

/** What was known of the price when it was approved. */
function approved(id: string, rate: string | undefined): JournalRecord {
  const intent = { clientOrderId: id as ClientOrderId } as OrderIntent;
  const basis = { bid: 1, ask: 1, fair: 1, ageMs: 1, rate: rate === undefined ? undefined : Price.of(rate) };
  const decision: Decision = { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } };
  return stepOf({ kind: "timer", receivedAt: START }, { decisions: [decision] });
}

describe("people are told", () => {
  test("of a fill from its size on, valued in the currency of the limits, once", async () => {
    const { notices, texts, pass } = staged();
    // 1,000 at 0.999 is worth 999, 1,002 is worth 1,000.998.
    for (const record of [fill("A", "1000"), fill("B", "1002"), fill("B", "1002")]) notices.record(record);
    // 900 GBP at 1.12 CHF are worth 1,007; without a rate nobody knows, so it is told.
    for (const record of [approved("C", "1.12"), fill("C", "900.9009", "VGBP/GBP")]) notices.record(record);
    for (const record of [approved("D", undefined), fill("D", "1", "VGBP/GBP")]) notices.record(record);
    notices.record(fill("E", "1002", "VCHF/CHF", "sell"));
    await pass(0);
    expect(texts()).toEqual([
      "buy 1002 VCHF/CHF at 0.999000, worth 1,000.99 CHF, fee 0.5 CHF",
      expect.stringMatching(/^buy 900\.9009 VGBP\/GBP at 0\.999000, worth 1,007\.9\d CHF, fee 0\.5 GBP$/),
      "buy 1 VGBP/GBP at 0.999000, worth 0.99 GBP, fee 0.5 GBP",
      "sell 1002 VCHF/CHF at 0.999000, worth 1,000.99 CHF, fee 0.5 CHF",
    ]);
  });

  test("of each question about one mint, and of the same one once", async () => {
    const { notices, texts, pass } = staged();
    for (const reason of ["one side says so", "it is not listed any more", "one side says so"]) {
      const report = { kind: "escalated", reason, wayOut: "ask support" } as const;
      notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    }
    await pass(0);
    expect(texts()).toEqual([
      expect.stringContaining("one side says so"),
      expect.stringContaining("it is not listed any more"),
    ]);
  });

  test("of what is wrong on the machine of the bot, once", async () => {
    const { notices, messages, pass } = staged();
    for (let count = 0; count < 2; count++) notices.warn("a program that does not have this key holds its name");
    await pass(0);
    expect(messages.map(({ kind, urgency, text }) => [kind, urgency, text])).toEqual([
      ["machine", "warning", "a program that does not have this key holds its name"],
    ]);
  });

  test("of every stop with its reason and way out, and of its end", async () => {
    const { notices, messages, pass } = staged();
    const halt: Command = {
      kind: "state",
      state: "HALTED",
      cause: "loss",
      reason: "RC05: lost",
      wayOut: "pegbot resume",
    };
    notices.record(stepOf({ kind: "timer", receivedAt: START }, { commands: [halt] }));
    notices.record(control({ kind: "kill", reason: "dinner", by: "ann" }));
    notices.record(control({ kind: "resume", reason: "looked at it", by: "bo" }));
    notices.trouble("journal-full", "no room on the disk");
    notices.trouble("journal-moved", "its -wal is gone", "restart the bot; then pegbot resume");
    // As another process writes it.
    notices.record({ kind: "control", at: START, control: { kind: "kill", reason: "supper", by: "cy" } });
    notices.record(control({ kind: "reduce", cause: "heartbeat", reason: "a price is old", wayOut: "by itself" }));
    notices.record(control({ kind: "kill", reason: "the file cannot be read", by: "di", cause: "latch" }));
    notices.record(control({ kind: "heartbeat", by: "di" }));
    await pass(0);
    expect(messages.map(({ urgency, text }) => [urgency, text])).toEqual([
      ["critical", "HALTED by bot (loss): RC05: lost. Way out: pegbot resume"],
      ["critical", 'KILLED by ann (person): dinner. Way out: pegbot resume --reason "..."'],
      ["warning", "resumed by bo: looked at it"],
      [
        "critical",
        "HALTED by bot (journal): journal-full: no room on the disk. Way out: mend the cause; pegbot status says more",
      ],
      [
        "critical",
        "HALTED by bot (journal): journal-moved: its -wal is gone. Way out: mend the cause; restart the bot; then pegbot resume",
      ],
      ["critical", expect.stringContaining("KILLED by cy (person): supper")],
      ["warning", "REDUCED by bot (heartbeat): a price is old. Way out: by itself"],
      ["critical", expect.stringContaining("KILLED by di (latch): the file cannot be read")],
    ]);
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set([START]));
  });

  test("of nothing where an order leaves, is refused or ends, and money arrives", async () => {
    const { notices, texts, pass } = staged();
    const intent = { clientOrderId: "A" as ClientOrderId } as OrderIntent;
    const basis = { bid: 1, ask: 1, fair: 1, ageMs: 1, rate: undefined };
    const refused: Decision = { proposal: undefined, basis, verdict: { kind: "refused", refusal: {} as Refusal } };
    const step: Partial<Step> = { decisions: [refused], commands: [{ kind: "submit", intent }] };
    notices.record(stepOf({ kind: "timer", receivedAt: START }, step));
    const report = { kind: "arrived", at: "account" } as const;
    notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([]);
  });

  test("of a doubt, and again when it waits for a person", async () => {
    const { notices, texts, pass } = staged();
    for (let i = 0; i < 3; i++) notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    notices.record(reported("T-1", { kind: "escalated", reason: "evidence did not decide" }));
    const report = { kind: "doubt", cause: "reset" } as const;
    for (let i = 0; i < 2; i++) notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    const escalated = { kind: "escalated", reason: "two rows could be it", wayOut: "pegbot resolve M-1" } as const;
    notices.record(stepOf({ kind: "movement", id: "M-1", report: escalated, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^T-1 may have happened: timeout\. Way out: .*pegbot resolve T-1$/),
      expect.stringMatching(/^T-1 waits for a person: evidence did not decide\./),
      expect.stringMatching(/^M-1 may have happened: reset\. Way out: .*pegbot resolve M-1$/),
      "M-1 waits for a person: two rows could be it. Way out: pegbot resolve M-1",
    ]);
  });

  test("of a doubt, with what it is, and of its end, once", async () => {
    const titleOf = (id: string) => (id === "M-1" ? "mint 110000 VGBP on ETH" : undefined);
    const { notices, texts, messages, pass } = staged({ titleOf });
    const moved = (report: MovementReport): void =>
      notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    moved({ kind: "told", status: "pending", reason: undefined });
    moved({ kind: "doubt", cause: "reset" });
    notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    await pass(0);
    for (let i = 0; i < 2; i++) moved({ kind: "told", status: "pending", reason: undefined });
    moved({ kind: "released", reason: "refused" });
    notices.record(reported("T-1", { kind: "dead", reason: "no witness shows it" }));
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^M-1 may have happened \(mint 110000 VGBP on ETH\): reset\./),
      expect.stringMatching(/^T-1 may have happened: timeout\./),
      "M-1 is in doubt no more (mint 110000 VGBP on ETH): the venue lists it as pending. Way out: none is needed",
      "T-1 is in doubt no more: it did not happen: no witness shows it. Way out: none is needed",
    ]);
    expect(messages.map(({ urgency }) => urgency)).toEqual(["critical", "critical", "warning", "warning"]);
  });

  test("of the end of a doubt that an earlier process told, and of one that the venue had turned away", async () => {
    const { notices, texts, pass } = staged();
    const rejected = { kind: "rejected", code: "rate-limited", message: "too many requests" } as const;
    notices.record(reported("T-1", rejected));
    notices.record(reported("T-2", { kind: "doubt", cause: "429" }));
    notices.look(quietStatus({ open: [{ ...submission("order", "fenced", 60), id: "T-3", isDoubt: true }] }));
    await pass(0);
    for (const id of ["T-2", "T-3"]) notices.record(reported(id, rejected));
    await pass(0);
    expect(texts().slice(1)).toEqual(
      ["T-2", "T-3"].map(
        (id) => `${id} is in doubt no more: it did not happen: too many requests. Way out: none is needed`,
      ),
    );
  });

  test("of the end of a doubt that another process wrote, once it is not shown twice, and of a mint's cost when it is known", async () => {
    const { notices, texts, pass } = staged();
    const doubt = (kind: string, id: string) => ({ ...submission(kind, "escalated", 60), id, isDoubt: true });
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const [order, mint] = [doubt("order", "T-1"), doubt("mint", "M-1")];
    const landed = { ...submission("mint", "confirmed", 60), id: "M-1" };
    look(order, mint);
    // A command's own, which nobody was called for.
    look(mint, doubt("order", "T-2"));
    await pass(0);
    expect(texts()).toEqual([]);
    look(landed);
    // It was only missing for a moment.
    look(mint);
    look(landed);
    look(landed);
    look(landed);
    const [spent, fee, comes] = ["120000.5", "0.5", "120000"].map((amount) => Money.of(amount, "CHF" as Asset)) as [
      Money,
      Money,
      Money,
    ];
    const departed = { kind: "departed", door: "mint", spent, fee, comes } as const;
    for (let i = 0; i < 2; i++)
      notices.record(stepOf({ kind: "movement", id: "M-1", report: departed, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([
      "T-1 is in doubt no more: it is over; pegbot journal list shows how it ended. Way out: none is needed",
      "M-1 is in doubt no more: it happened; what it cost is told when the balances show it. Way out: none is needed",
      "M-1 is booked: 120000.5 CHF are gone for it. Way out: none is needed",
    ]);
  });

  test("of the end of a doubt of its own that no record tells, and of what was asked of a person while it was in doubt", async () => {
    const { notices, texts, messages, pass } = staged();
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const moved = (id: string, report: MovementReport): void =>
      notices.record(stepOf({ kind: "movement", id, report, receivedAt: START }));
    const doubts = ["T-1", "T-2"].map((id) => ({ ...submission("order", "fenced", 60), id }));
    const landed = { ...submission("order", "confirmed", 60), id: "T-1" };
    look();
    for (const id of ["T-1", "T-2"]) notices.record(reported(id, { kind: "doubt", cause: "timeout" }));
    look(...doubts);
    for (let i = 0; i < 3; i++) look(landed);
    await pass(0);
    moved("M-1", { kind: "doubt", cause: "reset" });
    moved("M-1", { kind: "escalated", reason: "two rows could be it", wayOut: "pegbot resolve M-1" });
    moved("M-1", { kind: "told", status: UNLISTED, reason: undefined });
    // Never in doubt: nobody waits for a word of it.
    const money = Money.of("5", "CHF" as Asset);
    moved("M-2", { kind: "reserved", door: "mint", leaves: money, comes: money });
    moved("M-2", { kind: "departed", door: "mint", spent: money, fee: Money.zero(money.asset), comes: money });
    await pass(0);
    expect(texts().slice(2)).toEqual([
      "T-1 is in doubt no more: it happened. Way out: none is needed",
      "T-2 is in doubt no more: it is over; pegbot journal list shows how it ended. Way out: none is needed",
      expect.stringMatching(/^M-1 may have happened: reset/),
      "M-1 waits for a person: two rows could be it. Way out: pegbot resolve M-1",
      "M-1 is in doubt no more: it is there by a person's word. Way out: none is needed",
    ]);
    expect(messages.map(({ at }) => at)).toEqual([START, START, AT, AT, START, START, START]);
  });

  test("of no end of a doubt that one look did not show, and the next one does", async () => {
    const { notices, texts, pass } = staged();
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const doubt = { ...submission("order", "fenced", 60), id: "T-1" };
    look();
    notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    look(doubt);
    look();
    look(doubt);
    await pass(0);
    expect(texts()).toEqual([expect.stringMatching(/^T-1 may have happened/)]);
    look();
    look();
    await pass(0);
    expect(texts().slice(1)).toEqual([expect.stringMatching(/^T-1 is in doubt no more/)]);
  });

  test("of every time that a person resumes", async () => {
    const { notices, texts, pass } = staged();
    for (const [by, at] of [
      ["ann", START],
      ["bo", millis(START + 60_000)],
    ] as const) {
      const resumed = { kind: "resume", reason: "looked at it", by } as const;
      notices.record(stepOf({ kind: "control", control: resumed, receivedAt: at }, { at }));
    }
    await pass(0);
    expect(texts()).toEqual(["resumed by ann: looked at it", "resumed by bo: looked at it"]);
  });

  test("of each thing of the treasury by itself, at its time, also together with a summary", async () => {
    const { notices, messages, pass } = staged({ summaryMinute: 8 * 60 });
    const names = ["a", "b"] as const;
    const since = millis(AT - 60_000);
    const open = names.flatMap((id) => [
      { ...submission("mint", "confirmed", 60), id: `held ${id}`, what: id, since: undefined, venueWord: "held" },
      { ...submission("mint", "accepted", 18_000), id: `slow ${id}`, what: id },
    ]);
    const rest = { reason: "used up", since, until: millis(AT + 900_000), times: 3 };
    const treasury = {
      plans: names.flatMap((id) => WAITING.plans.map((plan) => ({ ...plan, id, steps: ["a step"] }))),
      awaited: names.map((id) => ({ id, rail: id, pays: "1 CHF", since })),
      railsFrozen: undefined,
      refused: (["mint", "rail", "order"] as const).flatMap((kind) => names.map((what) => ({ ...rest, kind, what }))),
      left: names.map((pot) => ({ pot, why: "no rate" })),
      expired: names.map((id) => ({ id, at: since, why: "too dear", declinedBy: "ben" })),
    };
    notices.look(quietStatus({ at: millis(AT - 60_000) }));
    notices.look(quietStatus({ open, treasury }));
    await pass(0);
    const twice = (text: (name: string) => string): readonly string[] => names.map(text);
    const shown = messages.map(({ urgency, text }) => `${urgency}: ${text.split(/[:;.]|, awaited/)[0]}`);
    expect(shown).toEqual([
      ...twice((id) => `warning: mint ${id} is held for an unknown time`),
      ...twice((id) => `warning: mint ${id} is accepted for 5 h`),
      ...twice((id) => `warning: 1 CHF to be paid on rail ${id}`),
      ...twice((id) => `warning: mint ${id} is refused, and left alone for 15 min`),
      ...twice((id) => `warning: rail ${id}, refused, and left alone for 15 min`),
      ...twice((id) => `warning: plan over ${id} is refused 3 times, and left alone for 15 min`),
      ...twice((id) => `warning: plan ${id} was declined by ben`),
      ...twice((id) => `warning: plan ${id} wants 1 more to approve it until 2026-11-15T08`),
      ...twice((id) => `warning: plan for ${id} is not made now`),
      "info: ACTIVE, reading",
    ]);
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set([AT]));
  });

  test("of the end of a movement that another process wrote, and not of its beginning", () => {
    const kinds = ["reserved", "departed", "told", "doubt", "escalated", "released", "returned", "arrived"];
    const ends = kinds.filter((kind) => {
      const report = { kind } as MovementReport;
      return endsDoubt({ event: { kind: "movement", id: "payment:p1", report, receivedAt: START } } as Step);
    });
    expect(ends).toEqual(["departed", "told", "released", "returned", "arrived"]);
    expect(endsDoubt({ event: { kind: "timer", receivedAt: START } } as Step)).toBe(false);
  });

  test("of what is asked of a person without being in doubt, and that it is over only when it is", async () => {
    const { notices, texts, pass } = staged();
    const open = [{ ...submission("mint", "confirmed", 60), id: "M-1" }];
    const moved = (id: string, report: MovementReport) =>
      notices.record(stepOf({ kind: "movement", id, report, receivedAt: START }));
    const look = (): void => {
      for (let i = 0; i < 3; i++) notices.look(quietStatus({ open }));
    };
    look();
    for (const id of ["M-1", "payment:p1", "M-1", "payment:p1"])
      moved(id, { kind: "escalated", reason: "one side says so for a day", wayOut: "ask support" });
    look();
    for (const id of ["M-1", "payment:p1"]) moved(id, { kind: "told", status: "in transit", reason: undefined });
    look();
    moved("payment:p1", { kind: "returned", reason: "closed by ann" });
    look();
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^M-1 waits for a person: /),
      expect.stringMatching(/^payment:p1 waits for a person: /),
      "payment:p1 is in doubt no more: it was given back: closed by ann. Way out: none is needed",
    ]);
  });

  test("of a held mint with the venue's reason and id, and of a payment with the rail by its names", async () => {
    const { notices, texts, pass } = staged();
    const held = { ...submission("mint", "confirmed", 3_600), venueWord: "held", what: "100000 VCHF on ETH" };
    const mint = { ...held, venueReason: "compliance review", venueId: "6a42", heldSince: millis(AT - 120_000) };
    const awaited = WAITING.awaited.map((one) => ({
      ...one,
      over: "to-bank (VGBP to GBP on ETH, to GB33, rail 80ce at the venue)",
    }));
    const treasury = { plans: [], awaited, railsFrozen: undefined };
    notices.look(quietStatus({ open: [mint], treasury }));
    await pass(0);
    expect(texts()).toEqual([
      `mint 100000 VCHF on ETH is held (compliance review) for 2 min: mint-confirmed, request 6a42 at the venue. ${HELD_MINT}`,
      expect.stringContaining(
        "not paid on rail to-bank (VGBP to GBP on ETH, to GB33, rail 80ce at the venue), awaited",
      ),
    ]);
  });

  test("of a held rail and of a held payment with what the venue's support asks for, once, and again when it is held again", async () => {
    const { notices, texts, messages, pass } = staged();
    const rail = { ...submission("rail", "confirmed", 3_600), venueWord: "held", what: "VCHF to CHF on ETH" };
    const look = async (heldSince: number): Promise<void> => {
      const open = [{ ...rail, venueId: "80ce", heldSince: millis(heldSince) }];
      const held = [{ ...HELD_PAYMENT, since: millis(heldSince) }];
      notices.look(quietStatus({ open, treasury: { plans: [], awaited: [], railsFrozen: undefined, held } }));
      await pass(3_600_000);
    };
    await look(AT - 120_000);
    await look(AT - 120_000);
    const ofRail = (age: string): string =>
      `rail VCHF to CHF on ETH, held for ${age}: rail-confirmed, rail 80ce at the venue. Way out: write to the venue's support with the id of the rail; nothing of the bot is needed, and payments on it wait until then`;
    const ofPayment = (age: string): string =>
      `payment of 5,000 VCHF, held for ${age}: payment:9334. Way out: write to the venue's support with the id of the payment, 9334; nothing of the bot is needed, and its money is in flight until then`;
    expect(texts()).toEqual([ofRail("2 min"), ofPayment("2 min")]);
    await look(AT - 9_000);
    expect(texts().slice(2)).toEqual([ofRail("less than a minute"), ofPayment("less than a minute")]);
    expect(new Set(messages.map(({ kind, urgency }) => `${kind} ${urgency}`))).toEqual(new Set(["rail warning"]));
  });

  test("that the venue holds a rail, a mint or a payment no longer, once, and not while nobody can tell", async () => {
    const { notices, texts, messages, pass } = staged();
    const heldSince = millis(AT - 120_000);
    const rail = {
      ...submission("rail", "confirmed", 3_600),
      venueWord: "held",
      what: "VCHF to CHF on ETH",
      heldSince,
    };
    const mint = {
      ...submission("mint", "confirmed", 3_600),
      venueWord: "held",
      what: "100000 VCHF on ETH",
      heldSince,
    };
    const payments = { plans: [], awaited: [], railsFrozen: undefined, held: [{ ...HELD_PAYMENT, since: heldSince }] };
    const look = async (change: Partial<Status>): Promise<readonly string[]> => {
      const before = texts().length;
      notices.look(quietStatus(change));
      await pass(3_600_000);
      return texts().slice(before);
    };
    expect(await look({ open: [rail, mint], treasury: payments })).toHaveLength(3);
    // In doubt, or not read.
    expect(await look({ open: [{ ...rail, isDoubt: true }, mint], treasury: undefined })).toEqual([]);
    const after = {
      open: [{ ...rail, venueWord: "pending", heldSince: undefined }],
      treasury: { ...payments, held: [] },
    };
    const over = "Way out: none is needed; the bot goes on with it";
    expect(await look(after)).toEqual([
      `mint 100000 VCHF on ETH is held no longer: it was for 2 min: mint-confirmed. ${over}`,
      `rail VCHF to CHF on ETH, held no longer, listed as pending: it was for 2 min: rail-confirmed. ${over}`,
      `payment of 5,000 VCHF, held no longer: it was for 2 min: payment:9334. ${over}`,
    ]);
    expect(await look(after)).toEqual([]);
    expect(new Set(messages.map(({ urgency }) => urgency))).toEqual(new Set(["warning"]));
  });

  test("that the venue let something go while no bot ran, once the next one knows it", async () => {
    let kept: string | undefined;
    const heldMemory = {
      load: () => kept,
      save(text: string) {
        kept = text;
      },
    };
    const heldSince = millis(AT - 120_000);
    const mint = {
      ...submission("mint", "confirmed", 3_600),
      venueWord: "held",
      what: "100000 VCHF on ETH",
      heldSince,
    };
    const treasury = { plans: [], awaited: [], railsFrozen: undefined, held: [{ ...HELD_PAYMENT, since: heldSince }] };
    const told = async (...changes: readonly Partial<Status>[]): Promise<readonly string[]> => {
      const { notices, texts, pass } = staged({ heldMemory });
      for (const change of changes) {
        notices.look(quietStatus(change));
        await pass(60_000);
      }
      return texts().map((text) => text.split(":")[0] ?? "");
    };
    expect(await told({ open: [mint], treasury })).toEqual([
      "mint 100000 VCHF on ETH is held for 2 min",
      "payment of 5,000 VCHF, held for 2 min",
    ]);
    // Before the books are read nobody can tell.
    const unread = { open: [], treasury: undefined };
    const over = { open: [], treasury: { ...treasury, held: [] } };
    expect(await told(unread)).toEqual([]);
    const letGo = ["mint 100000 VCHF on ETH is held no longer", "payment of 5,000 VCHF, held no longer"];
    expect([await told(unread, over, over), await told(unread, over)]).toEqual([letGo, []]);
    // What is no such text is nothing that was held.
    for (const text of ["{", '[{"id":1}]', "[]"]) {
      kept = text;
      expect(await told(over)).toEqual([]);
    }
  });

  test("of a held mint, whoever sent it, and not of one that is on its way", async () => {
    const { notices, texts, pass } = staged();
    const asked = { ...submission("mint", "confirmed", 7_200), venueWord: "Held", what: "100000 VCHF on ethereum" };
    const held = { ...asked, heldSince: millis(AT - 3_600_000) };
    const open = [
      held,
      { ...held, id: "other", venueWord: "pending" },
      { ...held, id: "doubt", isDoubt: true },
      { ...held, id: "rail", kind: "rail", venueWord: "pending" },
    ];
    for (let look = 0; look < 3; look++) {
      notices.look(quietStatus({ open }));
      // Also long after: the ages below remind of it.
      await pass(3_600_000);
    }
    expect(texts()).toEqual([`mint 100000 VCHF on ethereum is Held for 60 min: mint-confirmed. ${HELD_MINT}`]);
  });

  test("of a mint when it is 4, 8 and 24 hours old, once each", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const hours of [3, 4, 7, 8, 23, 24, 30]) {
      const open = [{ ...submission("mint", "confirmed", hours * 3_600), venueWord: "pending" }];
      for (let look = 0; look < 2; look++) notices.look(quietStatus({ open }));
      await pass(3_600_000);
    }
    const wayOut =
      "some take that long, and nothing of the bot is needed; after a day write to the venue's support with the request id";
    expect(texts()).toEqual(
      ["4 h", "8 h", "24 h"].map((age) => `mint mint is pending for ${age}: mint-confirmed. Way out: ${wayOut}`),
    );
    expect(messages.map(({ urgency }) => urgency)).toEqual(["warning", "warning", "critical"]);
  });

  test("of a payment that is to be made, at once and when it does not come for 4, 24 and 72 hours, of a plan to approve and of frozen rails, once each", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const hours of [3, 5, 23, 25, 73, 90]) {
      const awaited = WAITING.awaited.map((one) => ({ ...one, since: millis(AT - hours * 3_600_000) }));
      notices.look(quietStatus({ treasury: { ...WAITING, awaited } }));
      await pass(3_600_000);
    }
    const unpaid = (age: string): string =>
      `5,000 VGBP not paid on rail L-1, awaited for ${age}: expected:L-1:1. Way out: pay it, or pegbot resolve expected:L-1:1 --not-landed --reason "..."`;
    const asked = `5,000 VGBP to be paid on rail L-1, awaited for 3 h: expected:L-1:1. Way out: pay it, or pegbot resolve expected:L-1:1 --not-landed --reason "..."`;
    expect(texts()).toEqual([
      asked,
      `the venue's whitelist has changed, frozen for as long as nobody has looked, 0 min so far: rails. Way out: was it you? pegbot rails --acknowledge --reason "..."; if not: pegbot halt REASON, and call the venue`,
      'plan R-1 wants 1 more to approve it until 2026-11-15T08:10Z: mint VCHF on ETH, 120000 CHF for 120000 VCHF. Way out: pegbot approve R-1, or pegbot decline R-1 --reason "..."',
      ...["5 h", "25 h", "73 h"].map(unpaid),
    ]);
    const urgent = messages.map(({ urgency }) => urgency === "critical");
    expect(urgent).toEqual([false, true, false, false, false, true]);
  });

  test("of a payment of which nobody said how much it is only when it does not come", async () => {
    const { notices, texts, pass } = staged();
    for (const hours of [3, 4]) {
      const awaited = [{ id: "L-1", rail: "L-1", pays: undefined, since: millis(AT - hours * 3_600_000) }];
      notices.look(quietStatus({ treasury: { plans: [], awaited, railsFrozen: undefined } }));
      await pass(0);
    }
    expect(texts()).toEqual([
      "no payment on rail L-1, awaited for 4 h: L-1. Way out: pay, or leave it; pegbot payments shows what the venue lists",
    ]);
  });

  test("of a plan that was approved and not begun in time", async () => {
    const { notices, texts, messages, pass } = staged();
    const progress = {
      kind: "plan-progress",
      at: START,
      id: "R-1",
      text: "it was not begun: the bot is HALTED",
    } as const;
    for (const state of ["begun", "expired"] as const) notices.record({ ...progress, state });
    notices.record({ ...progress, id: "R-2", state: "withdrawn", text: "it is no longer needed" });
    await pass(20_000);
    expect(texts()).toEqual([
      "plan R-1 has expired: it was not begun: the bot is HALTED. Way out: pegbot rebalance shows what is needed now",
      "plan R-2 was withdrawn: it is no longer needed. Way out: pegbot rebalance shows what is needed now",
    ]);
    expect(messages.map(({ urgency, at }) => [urgency, at])).toEqual([
      ["warning", START],
      ["warning", START],
    ]);
  });

  test("of a plan that a person proposed and that is over, without a word of targets: none asks for it again", async () => {
    const { notices, texts, pass } = staged({ isWish: (id) => id === "R-1" });
    const progress = { kind: "plan-progress", at: START, id: "R-1", text: "its words" } as const;
    for (const state of ["expired", "stopped"] as const) notices.record({ ...progress, state });
    await pass(20_000);
    const anew = "pegbot mint or pegbot rail with --propose proposes it anew";
    expect(texts()).toEqual([
      `plan R-1 has expired: its words. Way out: ${anew}`,
      `plan R-1 was stopped: its words. Way out: pegbot status shows what is open; ${anew}`,
    ]);
  });

  test("of a strategy that starts fresh", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const strategy of ["x", "x", "y"])
      notices.record({ kind: "fresh-start", at: START, strategy, text: `strategy ${strategy} starts fresh` });
    await pass(20_000);
    expect(messages.map(({ urgency, at }) => [urgency, at])).toEqual([
      ["warning", START],
      ["warning", START],
    ]);
    expect(texts().slice(0, 1)).toEqual([
      'strategy x starts fresh. Way out: pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more',
    ]);
  });

  test("of a pot that no plan is made for, once", async () => {
    const { notices, texts, pass } = staged();
    const left = [{ pot: "VCHFF", why: "there is no rate of VCHFF in CHF" }];
    for (let look = 0; look < 2; look++) {
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, left } }));
      await pass(3_600_000);
    }
    expect(texts()).toEqual([
      "plan for VCHFF is not made now: there is no rate of VCHFF in CHF. Way out: pegbot rebalance shows every pot; treasury.targets names them",
    ]);
  });

  test("of a mint and a rail of a plan that are refused, at once, and of an order at the third time, once each", async () => {
    const { notices, texts, pass } = staged();
    const one = { reason: "RM05: the day is used up", since: millis(AT - 60_000), until: millis(AT + 900_000) };
    for (const times of [1, 2, 3, 4]) {
      const refused = [
        { ...one, kind: "mint", what: "VCHF on ETH", times },
        { ...one, kind: "rail", what: "bank", times },
        { ...one, kind: "order", what: "VCHF/CHF", times },
      ] as const;
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, refused } }));
      await pass(3_600_000);
    }
    const wayOut = "mend the cause; pegbot rebalance --execute of a person is tried at once";
    expect(texts()).toEqual([
      `mint VCHF on ETH is refused, and left alone for 15 min: RM05: the day is used up. Way out: ${wayOut}`,
      `rail bank, refused, and left alone for 15 min: RM05: the day is used up. Way out: ${wayOut}`,
      `plan over VCHF/CHF is refused 3 times, and left alone for 15 min: RM05: the day is used up. Way out: ${wayOut}`,
    ]);
  });

  test("of a plan that somebody declined, once, and not of the doors that rest for it", async () => {
    const { notices, texts, pass } = staged();
    const one = { id: "R-1", at: millis(AT), why: "too dear" };
    const expired = [
      { ...one, declinedBy: "ben" },
      { ...one, id: "R-2" },
      { ...one, id: "R-3", at: millis(AT - 7_200_000), declinedBy: "ben" },
    ];
    const door = { reason: "ben declined R-1: too dear", since: millis(AT), until: millis(AT + 3_600_000), times: 1 };
    const refused = [{ ...door, kind: "mint", what: "VCHF on ETH", isDeclined: true }] as const;
    for (const _ of [1, 2]) {
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, refused, expired } }));
      await pass(60_000);
    }
    expect(texts()).toEqual([
      "plan R-1 was declined by ben: too dear. Way out: none is needed; pegbot status says until when its steps are left alone",
    ]);
  });

  test("of a declined plan once though the bot is started again, and of one that was declined while none ran", async () => {
    let kept: string | undefined;
    const declineMemory = {
      load: () => kept,
      save(text: string) {
        kept = text;
      },
    };
    const declined = (id: string, minutes: number) => ({
      ...{ id, at: millis(AT - minutes * 60_000), why: "too dear", declinedBy: "ben" },
    });
    const told = async (...expired: readonly ReturnType<typeof declined>[]): Promise<readonly string[]> => {
      const { notices, texts, pass } = staged({ declineMemory });
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, expired } }));
      await pass(0);
      return texts().map((text) => text.split(":")[0] ?? "");
    };
    expect(await told(declined("R-1", 30))).toEqual(["plan R-1 was declined by ben"]);
    expect(await told(declined("R-1", 30))).toEqual([]);
    expect(await told(declined("R-2", 10), declined("R-1", 30))).toEqual(["plan R-2 was declined by ben"]);
    // By a clock that was ahead, and has come back since.
    expect(await told(declined("R-3", -180), declined("R-2", 10))).toEqual(["plan R-3 was declined by ben"]);
    expect(await told(declined("R-3", -180), declined("R-4", 0))).toEqual(["plan R-4 was declined by ben"]);
    expect(await told(declined("R-3", -180), declined("R-2", 5), declined("R-4", 0))).toEqual([]);
    // As an earlier version kept it, which is no plan.
    kept = String(AT + 3_600_000);
    expect(await told(declined("R-2", 10))).toEqual(["plan R-2 was declined by ben"]);
  });

  test("of a plan that was stopped midway, and not of one that nobody knew of and that moved nothing", async () => {
    const { notices, texts, messages, pass } = staged();
    const plan = { kind: "plan", at: START, digest: "d", content: "c", expiresAt: START, by: "bot" } as const;
    const told = (id: string, state: "step" | "stopped", unmoved?: number): void => {
      const refusal = unmoved === undefined ? undefined : { unmoved, why: "RC05" };
      notices.record({ kind: "plan-progress", at: START, id, state, text: "its words", refusal });
    };
    for (const id of ["R-1", "R-2", "R-3"]) notices.record({ ...plan, id, persons: 0 });
    notices.record({ ...plan, id: "R-4", persons: 1 });
    told("R-1", "stopped", 2);
    told("R-2", "step");
    told("R-2", "stopped", 1);
    told("R-3", "stopped");
    told("R-4", "stopped", 2);
    told("R-5", "stopped", 1);
    await pass(20_000);
    expect(texts()).toEqual(
      ["R-2", "R-3", "R-4", "R-5"].map(
        (id) =>
          `plan ${id} was stopped: its words. Way out: pegbot status shows what is open; pegbot rebalance shows what is still needed`,
      ),
    );
    expect(new Set(messages.map(({ urgency, at }) => `${urgency} ${at}`))).toEqual(new Set([`warning ${START}`]));
  });

  test("of rails that are frozen a second time for the same reason", async () => {
    const { notices, texts, pass } = staged();
    for (const minutes of [90, 90, 60]) {
      const railsFrozenAt = millis(AT - minutes * 60_000);
      const treasury = { ...WAITING, plans: [], awaited: [], railsFrozenAt };
      for (const one of [treasury, { ...treasury, railsFrozen: undefined }])
        notices.look(quietStatus({ treasury: one }));
      await pass(20_000);
    }
    expect(texts().map((text) => text.split(":")[0])).toEqual(
      [90, 60].map(
        (minutes) =>
          `the venue's whitelist has changed, frozen for as long as nobody has looked, ${minutes} min so far`,
      ),
    );
  });

  test("of a stop for the same reason after a person has resumed, and not of the same stop again", async () => {
    const { notices, texts, pass } = staged();
    const kill = control({ kind: "kill", reason: "dinner", by: "ann" });
    const doubt = reported("T-1", { kind: "doubt", cause: "timeout" });
    notices.record(kill);
    notices.record(kill);
    notices.record(doubt);
    notices.record(control({ kind: "resume", reason: "looked at it", by: "bo" }));
    notices.record(kill);
    notices.record(doubt);
    await pass(0);
    expect(texts().map((text) => text.split(" ")[0])).toEqual(["KILLED", "resumed", "KILLED", "T-1"]);
  });

  test("of a stop once, whatever figures it is told in, and again where more is known of it", async () => {
    const { notices, texts, pass } = staged();
    const halt = (reason: string, finding?: string): void =>
      notices.record(
        control({
          ...{ kind: "halt", cause: "balances", subject: "balances of VCHF", finding, wayOut: "pegbot adopt" },
          reason: `balances differ ${reason}`,
        }),
      );
    halt("by 1 VCHF");
    halt("by 2 VCHF, seen again");
    halt("by 2 VCHF, just what T-1 had cost", "cost of T-1");
    // Where only words say it, figures are no other cause.
    for (const ms of [100, 2_500]) notices.trouble("SQLITE_FULL", `disk is full for ${ms} ms`);
    await pass(0);
    expect(texts().map((text) => text.split(". Way")[0])).toEqual([
      expect.stringContaining("differ by 1 VCHF"),
      expect.stringContaining("just what T-1 had cost"),
      expect.stringContaining("for 100 ms"),
    ]);
  });

  test("once a day how things stand, at the minute that was set, and not at a start after it", async () => {
    const { notices, texts, pass } = staged({ summaryMinute: 6 * 60 });
    const at = (day: number, time: string) => millis(Date.parse(`2026-11-${day}T${time}:00Z`));
    const startedAt = at(15, "07:00");
    const equity = {
      currency: "CHF",
      now: "1197848.4919734653475",
      today: "5",
      realised: "2",
      turnover: "50",
      orders: 1,
    };
    for (const moment of [
      at(15, "07:01"),
      at(15, "23:59"),
      at(16, "05:59"),
      at(16, "06:00"),
      at(16, "06:01"),
      at(17, "06:30"),
    ])
      notices.look(quietStatus({ at: moment, startedAt, equity }));
    await pass(0);
    const summary =
      "ACTIVE, reading. Equity 1,197,848.49 CHF, today 5.00 CHF. Since unknown: unknown (realised unknown; fees of trades unknown, mints unknown, rails unknown), traded unknown, fills unknown, refused unknown. Doubts 0, mints and rails under way 0";
    expect(texts()).toEqual([summary, summary]);
  });

  test("in a summary of all that was since the last one, whichever process told that", async () => {
    const kept: string[] = [];
    const summaryMemory = { load: () => kept.at(-1), save: (text: string) => void kept.push(text) };
    let startedAt = millis(Date.parse("2026-11-15T07:00:00Z"));
    const status = (time: string, now: string | undefined, fills: number, brought = "0") =>
      quietStatus({
        at: millis(Date.parse(`2026-11-${time}:00Z`)),
        startedAt,
        equity: { currency: "CHF", now, today: "1", realised: "7", turnover: "7", orders: 1 },
        totals: {
          currency: "CHF",
          approved: 90,
          refused: 2 * fills,
          fills,
          turnover: String(1_000 * fills),
          fees: String(fills),
          mintFees: String(5 * fills),
          railFees: "1",
          unvaluedFees: 0,
          realised: String(3 * fills),
          brought,
          unvalued: 0,
        },
      });
    const first = staged({ summaryMinute: 6 * 60, summaryMemory });
    // Equity is known only once there are prices.
    first.notices.look(status("15T06:59", undefined, 10));
    first.notices.look(status("15T07:00", "1000", 10));
    first.notices.look(status("15T07:01", "1040", 15));
    first.notices.look(status("16T06:00", "1100", 30));
    await first.pass(0);
    // Fills 30 - 10, realised 3 * 20, fees 20 and 5 * 20, refused 2 * 20, change 1100 - 1000.
    const since = (from: string, sums: string) =>
      expect.stringContaining(`Since 2026-11-${from} UTC: ${sums}. Doubts 0`);
    expect(first.texts()).toEqual([
      since(
        "15 07:00",
        "100.00 CHF (realised 60.00 CHF; fees of trades 20.00 CHF, mints 100.00 CHF, rails 0.00 CHF), traded 20,000.00 CHF, fills 20, refused 40",
      ),
    ]);
    const next = staged({ summaryMinute: 6 * 60, summaryMemory });
    startedAt = millis(Date.parse("2026-11-17T05:45:00Z"));
    next.notices.look(status("17T05:50", "1205", 34, "100"));
    next.notices.look(status("17T06:00", "1205", 35, "100"));
    await next.pass(0);
    // 1205 - 1100, less the 100 that somebody brought.
    expect(next.texts()).toEqual([
      since(
        "16 06:00",
        "5.00 CHF (realised 15.00 CHF; fees of trades 5.00 CHF, mints 25.00 CHF, rails 0.00 CHF), traded 5,000.00 CHF, fills 5, refused 10",
      ),
    ]);
    // Of another journal, which has less than what is kept: it begins with what is seen first.
    const anew = staged({ summaryMinute: 6 * 60, summaryMemory });
    startedAt = millis(Date.parse("2026-11-18T05:45:00Z"));
    anew.notices.look(status("18T05:50", "1205", 1));
    anew.notices.look(status("18T06:00", "1205", 2));
    await anew.pass(0);
    expect(anew.texts()).toEqual([
      since(
        "18 05:50",
        "0.00 CHF (realised 3.00 CHF; fees of trades 1.00 CHF, mints 5.00 CHF, rails 0.00 CHF), traded 1,000.00 CHF, fills 1, refused 2",
      ),
    ]);
    // What no version wrote is of no use either: it begins with what is seen first.
    for (const equity of ["1.2.3", ".", "1".repeat(23)]) {
      const broken = { ...JSON.parse(kept.at(-1) ?? ""), equity };
      const beside = staged({
        summaryMinute: 6 * 60,
        summaryMemory: { load: () => JSON.stringify(broken), save: () => {} },
      });
      startedAt = millis(Date.parse("2026-11-19T05:45:00Z"));
      beside.notices.look(status("19T05:50", "1205", 2));
      beside.notices.look(status("19T06:00", "1205", 3));
      await beside.pass(0);
      expect(beside.texts()).toEqual([expect.stringContaining("Since 2026-11-19 05:50 UTC: 0.00 CHF")]);
    }
    // What an earlier version kept has no fees of mints: they are not all that there ever were.
    const older = JSON.parse(kept.at(-1) ?? "");
    for (const name of ["mintFees", "railFees", "unvaluedFees"]) delete older.totals[name];
    kept.push(JSON.stringify(older));
    const updated = staged({ summaryMinute: 6 * 60, summaryMemory });
    startedAt = millis(Date.parse("2026-11-19T05:45:00Z"));
    updated.notices.look(status("19T06:00", "1205", 3));
    await updated.pass(0);
    expect(updated.texts()).toEqual([
      since(
        "18 06:00",
        "0.00 CHF (realised 3.00 CHF; fees of trades 1.00 CHF, mints unknown, rails unknown), traded 1,000.00 CHF, fills 1, refused 2",
      ),
    ]);
  });
});

test("a summary says no sum of what could not be valued, nor of another currency", async () => {
  const totals = { currency: "CHF", approved: 1, refused: 1, fills: 1, turnover: "1", fees: "1", realised: "1" };
  const more = { mintFees: "1", railFees: "1", unvaluedFees: 0, brought: "0", unvalued: 0 };
  const at = millis(AT - 3_600_000);
  const summaryAfter = async (kept: { totals?: object; [name: string]: unknown }, now: object, equity?: string) => {
    const load = (): string =>
      JSON.stringify({ at, equity: "1000", ...kept, totals: { ...totals, ...more, ...kept.totals } });
    const { notices, texts, pass } = staged({ summaryMinute: 7 * 60 + 30, summaryMemory: { load, save: () => {} } });
    notices.look(
      quietStatus({
        startedAt: at,
        equity: { currency: "CHF", now: equity, today: "1", realised: "1", turnover: "1", orders: 1 },
        totals: { ...totals, ...more, ...now },
        open: ["mint", "rail", "order"].map((kind) => submission(kind, "confirmed", 1)),
      }),
    );
    await pass(0);
    const [text = ""] = texts();
    expect(text).toContain("mints and rails under way 2");
    return /Since (.*?): (.*?) \(.*mints (.*?), rails/.exec(text)?.slice(1);
  };
  const before = "2026-11-15 07:00 UTC";
  expect(await summaryAfter({}, { mintFees: "3" }, "1010")).toEqual([before, "10.00 CHF", "2.00 CHF"]);
  expect(await summaryAfter({}, { unvalued: 1 }, "1010")).toEqual([before, "unknown", "0.00 CHF"]);
  expect(await summaryAfter({}, { unvaluedFees: 1 }, "1010")).toEqual([before, "10.00 CHF", "unknown"]);
  expect(await summaryAfter({}, {})).toEqual([before, "unknown", "0.00 CHF"]);
  expect(await summaryAfter({ equity: undefined }, {}, "1010")).toEqual([before, "unknown", "0.00 CHF"]);
  // What does not fit begins with what is seen first: now.
  const now = "2026-11-15 08:00 UTC";
  expect(await summaryAfter({ totals: { currency: "EUR" } }, {}, "1010")).toEqual([now, "0.00 CHF", "0.00 CHF"]);
  expect(await summaryAfter({ at: AT + 1 }, {}, "1010")).toEqual([now, "0.00 CHF", "0.00 CHF"]);
});

test("a summary begins where the one before it ended, also where equity was not known then", async () => {
  const { notices, texts, pass } = staged({ summaryMinute: 6 * 60 });
  const zeros = { turnover: "0", fees: "0", mintFees: "0", railFees: "0", realised: "0", brought: "0" };
  const totals = { currency: "CHF", approved: 0, refused: 0, fills: 0, unvaluedFees: 0, unvalued: 0, ...zeros };
  for (const [time, now] of [
    ["15T07:00", "1000"],
    ["16T06:00", undefined],
    ["16T12:00", "1100"],
    ["17T06:00", "1200"],
    ["18T06:00", "1350"],
  ] as const) {
    const [at, startedAt] = [time, "15T07:00"].map((text) => millis(Date.parse(`2026-11-${text}:00Z`)));
    const equity = { currency: "CHF", now, today: "0", realised: "0", turnover: "0", orders: 0 };
    notices.look(quietStatus({ at: at as Millis, startedAt: startedAt as Millis, equity, totals }));
  }
  await pass(0);
  expect(texts().map((text) => /Since (.*?) \(/.exec(text)?.[1])).toEqual([
    "2026-11-15 07:00 UTC: unknown",
    "2026-11-16 06:00 UTC: unknown",
    "2026-11-17 06:00 UTC: 150.00 CHF",
  ]);
});

describe("a message", () => {
  test("about the same thing is not sent again within the time that was set, and then once more", async () => {
    const { notices, messages, pass } = staged();
    const again = control({
      kind: "halt",
      cause: "venue",
      reason: "the venue refuses our key",
      wayOut: "pegbot doctor",
    });
    for (let minute = 0; minute < 20; minute++) {
      notices.record(again);
      await pass(60_000);
    }
    expect(messages).toHaveLength(2);
  });

  test("has the words of the user's own template", async () => {
    const { notices, texts, pass } = staged({ templates: { stop: "!! {state} ({reason}) {nothing}" } });
    notices.record(control({ kind: "kill", reason: "why", by: "ann" }));
    await pass(0);
    expect(texts()).toEqual(["!! KILLED (why) -"]);
  });

  test("shows what others wrote as text: no control, no line break, no turned writing", async () => {
    const { notices, texts, pass } = staged();
    notices.record(control({ kind: "halt", cause: "other", reason: "a\r\nb\u202Ec\u0007{by}", wayOut: "w" }));
    await pass(0);
    expect(texts()).toEqual(["HALTED by bot (other): a\\r\\nb\\u202ec\\x07{by}. Way out: w"]);
  });

  test("never holds a secret, whatever text it got into; nor does the log of a failure", async () => {
    const key = "-----BEGIN PRIVATE KEY-----MIGHAgEAMBMGByqGSM49AgEGCCqG-----END PRIVATE KEY-----";
    const secrets = ["", "123:TOKEN", "https://hook.test/s3cret"];
    const { notices, messages, told, pass } = staged({ name: "bot of 123:TOKEN" }, secrets);
    for (let i = 0; i < 51; i++)
      notices.record(
        control({
          kind: "halt",
          cause: "other",
          reason: `T-${i} 123:TOKEN at https://hook.test/s3cret ${key}`,
          wayOut: "w",
        }),
      );
    await pass(0);
    const all = JSON.stringify([messages, told]);
    expect(messages[0]?.text).toBe("HALTED by bot (other): T-0 *** at *** <private key>. Way out: w");
    expect(messages[0]?.title).toBe("bot of ***: stop");
    expect(told.at(-1)).toBe("webhook failed *** is full");
    for (const secret of ["TOKEN", "s3cret", "MIGHAgEA"]) expect(all).not.toContain(secret);
  });

  test("never holds half a secret where a long text is cut", async () => {
    const { notices, texts, pass } = staged({}, ["123:TOKEN-OF-A-BOT"]);
    notices.record(
      control({ kind: "halt", cause: "other", reason: `${"x".repeat(290)}123:TOKEN-OF-A-BOT`, wayOut: "w" }),
    );
    await pass(0);
    expect(texts()[0]).toContain("x***");
    expect(texts()[0]).not.toContain("123");
  });
});
