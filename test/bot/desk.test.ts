import { describe, expect, it } from "vitest";
import type { Accounts } from "../../src/bot/accounts/accounts.ts";
import { catchUp } from "../../src/bot/catch-up.ts";
import { type Core, createDesk, type Desk } from "../../src/bot/desk.ts";
import { IDLE } from "../../src/bot/idle.ts";
import { type Input, TIME } from "../../src/bot/input.ts";
import { restore, restoreFrom } from "../../src/bot/restore.ts";
import { createStartUp } from "../../src/bot/start-up.ts";
import type { Steward } from "../../src/bot/steward/steward.ts";
import { QUIET, type Turn } from "../../src/bot/turn.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce, TradeRecord } from "../../src/exchange/port.ts";
import type { Answer, Unanswered } from "../../src/execution/executor.ts";
import { planAdoption } from "../../src/execution/plan-adoption.ts";
import { compareWithVenue } from "../../src/execution/reconcile.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/terms.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Entry, JournalRecord } from "../../src/journal/record.ts";
import { entryText } from "../../src/journal/text/entry-text.ts";
import { createQuoteColumns } from "../../src/market/column.ts";
import { isOrder } from "../../src/risk/movement-gate.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { failure } from "../execution/life.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { opening } from "../journal/samples.ts";
import { MemoryJournal } from "../support/memory-journal.ts";
import { filled, moment, newDesk, newEager, openDesk, openingInputs, PAIR, quote } from "./desk-bench.ts";

function kinds({ records }: Pick<Turn, "records">): string[] {
  return records.map((record) => (record.kind === "step" ? `step ${record.step.event.kind}` : record.kind));
}

function texts(records: readonly JournalRecord[]): string[] {
  return records.map((record, index) => entryText(index + 1, "anywriter", record));
}

/** To our own deposit address. */
function standingRail(desk: Desk, ms: number, kind: "accepted" | "doubt" = "accepted"): string {
  const now = moment(ms);
  const rail = {
    type: "FiatToStablecoin",
    sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
    destination: "0x1",
    memo: undefined,
    asset: "VCHF" as Asset,
    currency: "CHF" as Asset,
    blockchain: "ETH",
    toAccount: true,
    known: [],
  } as const;
  const terms = { isAnother: false, decidedAt: now.at, expiresAt: millis(now.at + 600_000), reason: "test" };
  const [sent] = desk.turn([], { kind: "movement", wish: { kind: "rail", rail, ...terms } }, now).sends;
  if (sent === undefined || isOrder(sent)) throw new Error("a rail must be approved");
  const { id } = sent;
  const nonce = 7 as Nonce;
  desk.executor.sending(id, { nonce, digest: "d", host: "h" }, now);
  const value = { railId: "a", status: "pending", reason: undefined };
  const outcome =
    kind === "accepted"
      ? ({ kind, value, nonce, receivedAt: now.at } as const)
      : ({ kind, failure: failure("timeout"), nonce, halt: false } as const);
  desk.turn([], { kind: "outcome", id, outcome }, now);
  return value.railId;
}

/** As the pipeline does it. */
async function committed(desk: Desk, journal: Journal, input: Input, ms: number): Promise<Turn> {
  const written = await journal.transact((news) => {
    const turn = desk.turn(news, input, moment(ms));
    return { records: turn.records, value: turn };
  });
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
}

function reduced(ms: number): Input {
  const control = { kind: "reduce", cause: "heartbeat", reason: "nobody looks", wayOut: "look" } as const;
  return { kind: "event", event: { kind: "control", control, receivedAt: moment(ms).at } };
}

function coreOf({ engine, executor, gate, movements }: Desk): Core {
  return { engine, executor, gate, movements };
}

function orderIn({ sends: [first] }: Turn) {
  return first !== undefined && isOrder(first) ? first : undefined;
}

/** What a sender would have announced before the byte. */
function announced(desk: Desk, turn: Turn, nonce: number, ms: number): readonly JournalRecord[] {
  const [order] = turn.sends;
  if (order === undefined || !isOrder(order)) throw new Error("the turn must have sent an order");
  const record = { nonce: nonce as Nonce, digest: "00", host: "test" };
  return desk.executor.sending(order.clientOrderId, record, moment(ms));
}

it("that could not take in what others wrote decides and sends nothing more", () => {
  const desk = newDesk("torn0000");
  openDesk(desk);
  const at = millis(500);
  const records: JournalRecord[] = [
    { kind: "started", at, codeVersion: "1", configDigest: "d" },
    // Nobody has intended it.
    { kind: "sending", at, id: "T-nobody00-1", nonce: 1, digest: "00", host: "h" },
    { kind: "control", at, control: { kind: "kill", reason: "dinner", by: "anna" } },
  ];
  const news = records.map((record, i) => ({ sequence: 1_000 + i, hash: "", writer: "others00", record }));
  const handedOut = [news, []];
  const journal = { news: () => ok(handedOut.shift() ?? []) };
  const caughtUp = (): string | undefined => catchUp({ journal, desk, isGone: () => false, now: () => moment(1_000) });
  expect(caughtUp).toThrow();
  // The stop of a person was handed out with it.
  expect(caughtUp()).toContain("could not be taken in");
  expect(() => desk.turn([], quote(0.999, 1_000), moment(1_000))).toThrow(
    "after entry 1000: the books must be made anew",
  );
  // Nor does it become whole by what comes after.
  expect(() => desk.fold(news[2] as Entry)).toThrow("after entry 1000: the books must be made anew");
  expect(desk.isTorn).toBe(true);
});

it("that finds an order filled after the venue had refused it has one stop for it, whoever tells it first", () => {
  const desk = newDesk("late0000");
  openDesk(desk);
  const turn = desk.turn([], quote(0.999, 1_000), moment(1_000));
  announced(desk, turn, 1, 1_000);
  const { id, outcome } = filled(turn);
  if (outcome.kind !== "accepted") throw new Error("a fill must be accepted");
  const nonce = 1 as Nonce;
  const refused = { code: "not-fillable", status: 200, venueCode: undefined, message: "no counterpart" };
  const rejected = { kind: "rejected", failure: refused, nonce, receivedAt: moment(1_500).at } as const;
  desk.turn([], { kind: "outcome", id, outcome: rejected }, moment(1_500));
  const asked = { askedAt: moment(2_000).mono, receivedAt: moment(2_000).at, nonce: undefined };
  const none = { orderId: undefined, symbol: undefined, side: undefined, quantity: undefined, limit: undefined };
  const listed = { clientOrderId: id, status: "Filled", at: undefined, ...none };
  const answers: readonly Answer[] = [
    { witness: "orders", rows: [listed], ...asked },
    { witness: "trades", rows: [{ ...outcome.value, status: "Filled" } as TradeRecord], ...asked },
  ];
  for (const answer of answers) desk.turn([], { kind: "answer", answer }, moment(2_000));
  const { standing } = desk.engine.context.books;
  expect([standing.cause, standing.also]).toEqual(["late_fill", []]);
  expect(standing.reason).toMatch(/ booked$/);
});

it("is idle to the end of the day while nothing is under way, and says so of no time in which an order is", () => {
  const desk = newDesk("idle0000");
  const endOfDay = moment(12 * 3_600_000).at;
  // Before equity is known the next price may show anything.
  expect(desk.idleUntil()).toBe(Number.NEGATIVE_INFINITY);
  openDesk(desk);
  const count = desk.engine.sequence;
  for (let ms = 1_000; ms < 5_000; ms += 1_000) expect(desk.turn([], TIME, moment(ms))).toBe(QUIET);
  expect([desk.idleUntil(), desk.engine.sequence]).toEqual([endOfDay, count]);
  const turn = desk.turn([], quote(0.999, 6_000), moment(6_000));
  expect(desk.idleUntil()).toBe(Number.NEGATIVE_INFINITY);
  announced(desk, turn, 1, 6_001);
  desk.turn([], filled(turn), moment(6_100));
  // History has not shown it yet: whoever waits for that is told the time.
  expect(desk.idleUntil()).toBe(Number.NEGATIVE_INFINITY);
});

it("does not take the time of our clock alone: it may be a day ahead, and the books never go back", () => {
  const ahead = moment(86_400_000);
  const sent = (isUnsure: boolean): number => {
    const desk = newDesk("unsure00");
    openDesk(desk);
    desk.turn([], { kind: "time", isUnsure }, ahead);
    return desk.turn([], quote(0.999, 2_000), moment(2_000)).sends.length;
  };
  expect([sent(true), sent(false)]).toEqual([1, 0]);
});

it("with a steward is never idle: that one looks whenever time passes, and hears what is answered and what is not", () => {
  const done: string[] = [];
  const steward = {
    fold: () => undefined,
    look: () => void done.push("looks"),
    heard: ({ witness }: Answer) => void done.push(`hears ${witness}`),
    unheard: ({ witness }: Unanswered) => void done.push(`hears no ${witness}`),
  } as unknown as Steward;
  const desk = createDesk({ ...coreOf(newDesk("steward0")), steward }, { safePointMs: 10_000 });
  openDesk(desk);
  done.length = 0;
  expect(desk.idleUntil()).toBe(Number.NEGATIVE_INFINITY);
  for (const ms of [2_000, 3_000]) desk.turn([], TIME, moment(ms));
  const { at: receivedAt, mono: askedAt } = moment(4_000);
  const answer: Answer = { witness: "addresses", rows: [], askedAt, receivedAt, nonce: 9 as Nonce };
  desk.turn([], { kind: "answer", answer }, moment(4_000));
  desk.turn([], { kind: "unanswered", witness: "addresses", askedAt, code: "forbidden" }, moment(5_000));
  expect(done).toEqual(["looks", "looks", "hears addresses", "hears no addresses"]);
});

it("is never sure to be idle where a reference moves what equity is", () => {
  const desk = newDesk("moved000");
  openDesk(desk);
  expect(desk.idleUntil()).toBeGreaterThan(moment(0).at);
  const { event } = quote(1.0004, 1_000);
  desk.turn([], { kind: "event", event: { ...event, source: "other" } }, moment(1_000));
  // All of it has been looked at, and nothing is found until its next price.
  for (let ms = 1_000; ms < 5_000; ms += 1_000) desk.turn([], TIME, moment(ms));
  expect(desk.idleUntil()).toBe(Number.NEGATIVE_INFINITY);
});

describe("a turn", () => {
  it("records an approval as its step, its intent and what the strategy remembers, in this order and together", () => {
    const desk = newDesk("approver0");
    openDesk(desk);
    const turn = desk.turn([], quote(0.999, 1_000), moment(1_000));
    expect(kinds(turn)).toEqual(["step quote", "intent", "state"]);
    expect(turn.sends).toHaveLength(1);
    const [step, intent] = turn.records;
    expect(intent?.kind === "intent" && intent.id).toBe(orderIn(turn)?.clientOrderId);
    expect(step?.kind === "step" && step.step).toBe(turn.steps[0]);
  });

  it("names an order when it is approved, however often somebody asked whether it could be judged", () => {
    const desk = newDesk("unnamed0");
    openDesk(desk);
    const wish = {
      symbol: PAIR,
      side: "buy",
      limit: 0.999,
      size: "100",
      reason: "asked",
      lifetimeMs: undefined,
    } as const;
    for (let look = 0; look < 3; look++) expect(desk.engine.unjudged(wish)).toBeUndefined();
    expect(orderIn(desk.turn([], quote(0.999, 1_000), moment(1_000)))?.clientOrderId).toBe("T-unnamed0-1");
  });

  it("tells people once that rails are frozen, when the whitelist is another one", () => {
    const desk = newDesk("listed00");
    openDesk(desk);
    const rows = ["0x1", "0x2"].map((address) => ({
      ...{ asset: "VCHF" as Asset, blockchain: "ETH", address, label: undefined, status: undefined },
    }));
    const notesOf = (shown: typeof rows, ms: number): readonly string[] => {
      const { mono, at } = moment(ms);
      const answer = {
        witness: "addresses",
        asset: undefined,
        askedAt: mono,
        receivedAt: at,
        nonce: undefined,
      } as const;
      return desk.turn([], { kind: "answer", answer: { ...answer, rows: shown } }, moment(ms)).notes;
    };
    expect(notesOf(rows.slice(0, 1), 1_000)).toEqual([]);
    expect(notesOf(rows, 2_000)).toEqual([
      expect.stringMatching(/^rails are frozen: .*new is VCHF ETH 0x2.*--acknowledge/),
    ]);
    expect(notesOf(rows, 3_000)).toEqual([]);
  });

  it("records what is at stake in the currency of the limits, and what is reserved with the fee", () => {
    const desk = newDesk("stakes00");
    openDesk(desk);
    const intent = desk.turn([], quote(0.999, 1_000), moment(1_000)).records[1];
    if (intent?.kind !== "intent") throw new Error("there must be an intent");
    // 100 at 0.999, and 20 bp of fee on top.
    expect(String(intent.value)).toBe("99.9");
    expect(intent.reserved.map(String)).toEqual(["100.0998"]);
  });

  it("takes the fill that an outcome raises after the outcome, in the same turn", () => {
    const desk = newDesk("filler00");
    openDesk(desk);
    const sent = desk.turn([], quote(0.999, 1_000), moment(1_000));
    announced(desk, sent, 1, 1_500);
    const turn = desk.turn([], filled(sent), moment(2_000));
    expect(kinds(turn)).toEqual(["outcome", "step report"]);
    expect(turn.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    expect(String(desk.engine.context.accounts.held("VCHF" as Asset))).toBe("100100");
  });

  it("asks a witness once for all who wait for it, as urgently as a doubt among them", () => {
    const desk = newDesk("asking00");
    openDesk(desk);
    const sent = [1_000, 1_010].map((ms, n) => {
      const turn = desk.turn([], quote(0.999, ms), moment(ms));
      announced(desk, turn, n + 1, ms + 1);
      return turn;
    });
    const [first, second] = sent.map((turn) => filled(turn));
    const failure = { code: "timeout", status: undefined, venueCode: undefined, message: "no answer" };
    const doubt = { kind: "doubt", failure, nonce: 2 as Nonce, halt: false } as const;
    if (first === undefined || second === undefined) throw new Error("there must be two orders");
    desk.turn([], first, moment(2_000));
    desk.turn([], { kind: "outcome", id: second.id, outcome: doubt }, moment(2_000));
    desk.turn(
      [],
      { kind: "unanswered", witness: "trades", askedAt: moment(2_000).mono, code: "dropped" },
      moment(3_000),
    );
    const { asks } = desk.turn([], { kind: "time" }, moment(9_000));
    expect(asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
  });

  it("hands balances to the executor as a witness and to the engine as what may be spent", () => {
    const desk = newDesk("balances");
    const turns = openDesk(desk);
    expect(turns.slice(0, 3).map(kinds)).toEqual([
      ["step instruments"],
      ["adoption", "step adoption"],
      ["step balances"],
    ]);
    expect(String(desk.engine.context.accounts.spendable("CHF" as Asset))).toBe("100000");
  });

  it("of a bare quote records nothing and writes nothing", async () => {
    const journal = journalAt(temporaryPath());
    const desk = newDesk(journal.writer);
    for (const input of openingInputs(0)) await committed(desk, journal, input, 0);
    const before = journal.head();
    const turn = await committed(desk, journal, quote(1.002, 1_000), 1_000);
    expect(turn).toMatchObject({ records: [], steps: [], sends: [], asks: [] });
    expect(journal.head()).toEqual(before);
    journal.close();
  });

  it("approves nothing that cannot leave while everything is frozen, and counts no order for it", () => {
    const desk = newDesk("frozen00");
    openDesk(desk);
    const sent = desk.turn([], quote(0.999, 1_000), moment(1_000));
    announced(desk, sent, 1, 1_000);
    const fill = filled(sent);
    if (fill.outcome.kind !== "accepted") throw new Error("a fill must be accepted");
    desk.turn([], fill, moment(1_500));
    const foreign = {
      ...fill.outcome.value,
      status: "Filled",
      clientOrderId: "portal-1",
      tradeId: "T9",
    } as TradeRecord;
    const asked = { askedAt: moment(2_000).mono, receivedAt: moment(2_000).at, nonce: 2 as Nonce };
    desk.turn([], { kind: "answer", answer: { witness: "trades", rows: [foreign], ...asked } }, moment(2_000));
    expect(desk.engine.context.books.standing).toMatchObject({ state: "HALTED", cause: "foreign" });
    const control = { kind: "resume", reason: "too early", by: "anna" } as const;
    desk.turn([], { kind: "event", event: { kind: "control", control, receivedAt: moment(3_000).at } }, moment(3_000));
    const { orders } = desk.engine.context.books.day;
    const turn = desk.turn([], quote(0.998, 4_000), moment(4_000));
    expect([turn.sends, desk.engine.context.books.day.orders]).toEqual([[], orders]);
    expect(turn.steps.flatMap(({ decisions }) => decisions.map(({ verdict }) => verdict))).toMatchObject([
      { kind: "refused", refusal: { rule: "RC33", message: expect.stringMatching(/^VCHF\/CHF is frozen: .*T9/) } },
    ]);
  });

  it("asks a strategy no more once trades were taken over that it made and does not remember", () => {
    const [desk, other] = [newDesk("running0"), newDesk("other000", {}, IDLE)];
    const turns = [...openDesk(desk), desk.turn([], quote(0.999, 1_000), moment(1_000))];
    const entries = (records: readonly JournalRecord[], from: number) =>
      records.map((record, i) => ({ sequence: from + i, hash: "", writer: "any00000", record }));
    const known = entries(
      turns.flatMap(({ records }) => records),
      1,
    );
    for (const entry of known) other.fold(entry);
    // Of one strategy with other parameters before: both states are outdated, and it is told once.
    const earlier = known.flatMap(({ record }) => (record.kind === "state" ? [record] : []))[0];
    const state = { ...(earlier?.state as object), params: { ticket: "before" } };
    other.fold({
      ...(known.at(-1) as Entry),
      sequence: known.length + 1,
      record: { ...earlier, state } as JournalRecord,
    });
    const [adoption] = openingInputs(0).flatMap((input) => (input.kind === "adoption" ? [input.adoption] : []));
    if (adoption === undefined) throw new Error("the bench must open the books");
    const own = { kind: "adoption", adoption: { ...adoption, amounts: [] }, lost: 2 } as const;
    const { records, warnings } = other.turn([], own, moment(2_000));
    expect(warnings).toEqual([expect.stringMatching(/^strategy eager will not sit down, for its last state is older/)]);
    const turn = desk.turn(entries(records, known.length + 1), quote(0.998, 3_000), moment(3_000));
    expect([turn.sends, desk.engine.context.books.standing.state]).toEqual([[], "HALTED"]);
    const control = { kind: "resume", reason: "seen", by: "anna" } as const;
    const event = { kind: "control", control, receivedAt: moment(4_000).at } as const;
    desk.turn([], { kind: "event", event }, moment(4_000));
    expect(desk.engine.context.books.standing.state).toBe("ACTIVE");
    expect(desk.turn([], quote(0.997, 5_000), moment(5_000)).sends).toEqual([]);
    expect(kinds(desk.turn([], { kind: "save" }, moment(6_000)))).toEqual([]);
    expect(desk.seat(newEager())).toMatchObject({ wayOut: expect.stringContaining("another ticket") });
    // As long as nobody sits there the bot does not pass for one that trades, whoever resumes.
    expect(kinds(desk.turn([], TIME, moment(7_000)))).toEqual(["step control"]);
    expect(desk.engine.context.books.standing).toMatchObject({ state: "HALTED", cause: "strategy" });
    expect(kinds(desk.turn([], TIME, moment(8_000)))).toEqual([]);
    const next = { ...newEager(), definition: { ...newEager().definition, stateVersion: 1 } };
    expect(desk.seat(next).wayOut).toBeUndefined();
    desk.turn([], { kind: "event", event }, moment(9_000));
    desk.turn([], TIME, moment(10_000));
    expect(desk.engine.context.books.standing.state).toBe("ACTIVE");
    // With the whole journal lost there is nothing that could keep it from its seat: whoever takes over is told.
    const { warnings: told } = newDesk("anew0000", {}, IDLE).turn([], own, moment(2_000));
    expect(told).toEqual([expect.stringMatching(/^2 trades of this bot .* begin at zero.*the size that is left/)]);
  });

  it("asks a strategy no more once a trade was taken over of an order that it was told had not filled", () => {
    const [desk, other] = [newDesk("running0"), newDesk("other000", {}, IDLE)];
    const known: Entry[] = [];
    const told = (records: readonly JournalRecord[]): readonly Entry[] => {
      const from = known.length + 1;
      known.push(...records.map((record, i) => ({ sequence: from + i, hash: "", writer: "running0", record })));
      return known.slice(from - 1);
    };
    for (const turn of openDesk(desk)) told(turn.records);
    const sent = desk.turn([], quote(0.999, 1_000), moment(1_000));
    told([...sent.records, ...announced(desk, sent, 1, 1_000)]);
    const { id, outcome } = filled(sent);
    if (outcome.kind !== "accepted") throw new Error("a fill must be accepted");
    const lost = { kind: "doubt", failure: failure("timeout"), nonce: 1 as Nonce, halt: false } as const;
    told(desk.turn([], { kind: "outcome", id, outcome: lost }, moment(2_000)).records);
    const asked = { askedAt: moment(3_000).mono, receivedAt: moment(3_000).at, nonce: 2 as Nonce };
    // No fill of it can have a fee in a third currency.
    const odd = { ...outcome.value, status: "Filled", fee: Money.of("0.00001", "BTC" as Asset) } as TradeRecord;
    const trades: Answer = { witness: "trades", rows: [odd], ...asked };
    told(desk.turn([], { kind: "answer", answer: trades }, moment(3_000)).records);
    const resolution = { kind: "not-landed", by: "anna", reason: "the fee is odd" } as const;
    told(desk.turn([], { kind: "resolution", id, resolution }, moment(4_000)).records);
    for (const entry of known) other.fold(entry);
    const { bought, sold, fee } = odd;
    const rows = [bought, sold.negated(), fee.negated()].map((moved) => {
      const { asset } = moved;
      const available = moved.plus(other.engine.context.accounts.settled(asset) ?? Money.of("1", asset));
      return { asset, available, pending: Money.zero(asset) };
    });
    const answers: readonly Answer[] = [
      trades,
      { witness: "orders", rows: [], ...asked },
      { witness: "rails", rows: [], ...asked },
      { witness: "balances", rows, ...asked },
    ];
    const { executor, engine } = other;
    const seen = compareWithVenue(executor, answers, engine.context.accounts, moment(5_000), { takesOver: true });
    const plan = unwrap(planAdoption(unwrap(seen), { reason: "as it is", by: "anna" }, moment(5_000).at));
    const { record: adoption, lost: none, unbooked } = plan;
    expect([none, unbooked]).toEqual([0, [id]]);
    const { records, warnings } = other.turn([], { kind: "adoption", adoption, unbooked }, moment(5_000));
    expect(warnings).toEqual([
      expect.stringMatching(/^strategy eager will not sit down, for its last state .* called not filled, 1 of them, /),
    ]);
    const turn = desk.turn(told(records), quote(0.998, 6_000), moment(6_000));
    expect([turn.sends, desk.engine.context.books.standing.state]).toEqual([[], "HALTED"]);
    const control = { kind: "resume", reason: "seen", by: "anna" } as const;
    const event = { kind: "control", control, receivedAt: moment(7_000).at } as const;
    desk.turn([], { kind: "event", event }, moment(7_000));
    expect(desk.engine.context.books.standing.state).toBe("ACTIVE");
    expect(desk.turn([], quote(0.997, 8_000), moment(8_000)).sends).toEqual([]);
    expect(desk.seat(newEager())).toMatchObject({ wayOut: expect.stringContaining("another ticket") });
    // Nobody is to be kept from a seat where no strategy remembers anything: the journal has lost nothing.
    const anew = newDesk("anew0000", {}, IDLE).turn([], { kind: "adoption", adoption, unbooked }, moment(5_000));
    expect(anew.warnings).toEqual([]);
  });

  it("turns a halt of the executor into a control event of the engine", () => {
    const desk = newDesk("halting0");
    openDesk(desk);
    const sent = desk.turn([], quote(0.999, 1_000), moment(1_000));
    announced(desk, sent, 1, 1_500);
    const { id } = filled(sent);
    const failure = { code: "inconsistent", status: 200, venueCode: undefined, message: "Filled with an error" };
    const outcome = { kind: "doubt", failure, nonce: 1 as Nonce, halt: true } as const;
    const turn = desk.turn([], { kind: "outcome", id, outcome }, moment(2_000));
    expect(kinds(turn)).toEqual(["doubt", "step report", "step control"]);
    expect(desk.engine.context.books.state).toBe("HALTED");
    expect(desk.turn([], quote(0.998, 3_000), moment(3_000)).sends).toEqual([]);
  });

  it("frees doubts by the equity that the day opened with while prices are missing, less what was taken out since", () => {
    const desk = newDesk("freeing0", {}, newEager(), { ...DEFAULT_SETTINGS, acknowledgedMin: 0 });
    openDesk(desk);
    const most = (): string => String(desk.executor.terms.releaseMax);
    // One per cent of 100,000 CHF and as many coins at par.
    expect(most()).toBe("2000");
    desk.turn([], { kind: "time" }, moment(600_000));
    expect([String(desk.engine.context.pricing.equity()), most()]).toEqual(["undefined", "2000"]);
    const amounts = [Money.of("-90000", "CHF" as Asset)];
    const adoption = { kind: "adoption", amounts, reason: "wire", receivedAt: moment(600_000).at } as const;
    desk.turn([], { kind: "event", event: adoption }, moment(600_000));
    expect(most()).toBe("1100");
  });

  it("books a payment from outside when it has a rate, and neither halts nor loses the bases of losses before that", () => {
    const desk = newDesk("payments", { dailyLossBpsMax: 100 }, IDLE);
    openDesk(desk);
    desk.turn([], quote(1, 100), moment(100));
    desk.turn([], TIME, moment(11_000));
    const railId = standingRail(desk, 12_000);
    const { books } = desk.engine.context;
    const peak = Number(String(books.peak));
    // Minutes later no price is fresh, as at a start.
    const later = 600_000;
    const amount = Money.of("30007", "VCHF" as Asset);
    const rows = [{ railId, paymentId: "p1", status: "pending", amount, at: undefined }];
    const asked = { askedAt: moment(later).mono, receivedAt: moment(later).at, nonce: undefined };
    const turn = desk.turn([], { kind: "answer", answer: { witness: "payments", rows, ...asked } }, moment(later));
    expect(turn.notes).toEqual([expect.stringMatching(/^payment:p1 is not booked yet: VCHF has no rate/)]);
    desk.turn([], TIME, moment(later + 1_000));
    expect([books.state, Number(String(books.peak)), [...desk.engine.context.accounts.flights()]]).toEqual([
      "ACTIVE",
      peak,
      [],
    ]);
    desk.turn([], quote(1, later + 2_000), moment(later + 2_000));
    const booked = desk.turn([], TIME, moment(later + 3_000));
    expect(kinds(booked)).toContain("step movement");
    expect([books.state, [...desk.engine.context.accounts.flights()].length]).toEqual(["ACTIVE", 1]);
    expect((Number(String(books.peak)) - peak) / 30_007).toBeCloseTo(1, 2);
  });

  it("follows what a command journals without an engine", () => {
    const desk = newDesk("follower");
    openDesk(desk);
    const control = { kind: "kill", reason: "by command", by: "operator" } as const;
    const record = { kind: "control", at: moment(500).at, control } as const;
    const entry = { sequence: 100, hash: "", writer: "command0", record };
    const turn = desk.turn([entry], quote(0.999, 1_000), moment(1_000));
    expect(turn.sends).toEqual([]);
    expect(desk.engine.context.books.standing).toMatchObject({ state: "KILLED", reason: "by command" });
  });

  it("opens the books once, also when another process did so since they were compared", () => {
    const desk = newDesk("opening0");
    const [adoption] = openingInputs(0).flatMap((input) => (input.kind === "adoption" ? [input.adoption] : []));
    if (adoption === undefined) throw new Error("the bench must open the books");
    const { records } = newDesk("other000").turn([], { kind: "adoption", adoption }, moment(0));
    const news = records.map((record, index) => ({ sequence: index + 2, hash: "", writer: "other000", record }));
    const turn = desk.turn(news, { kind: "adoption", adoption, isOpening: true }, moment(1_000));
    expect([turn.records, turn.notes]).toEqual([[], ["the books were opened by another process"]]);
    expect(String(desk.engine.context.accounts.held("CHF" as Asset))).toBe("100000");
  });

  it("folds an entry once, whoever hands it out", () => {
    const desk = newDesk("oncefold");
    const amounts = openingInputs(0).flatMap((input) => (input.kind === "adoption" ? [input.adoption] : []));
    const step = newDesk("other000").turn([], { kind: "adoption", adoption: amounts[0] as never }, moment(0))
      .records[1];
    const entry = { sequence: 2, hash: "", writer: "other000", record: step as JournalRecord };
    desk.fold(entry);
    desk.fold(entry);
    expect(String(desk.engine.context.accounts.held("CHF" as Asset))).toBe("100000");
  });
});

describe("a start", () => {
  /** Everything is read, and a quote; the inputs that follow. */
  function started(desk: Desk): { readonly phase: string; readonly inputs: readonly string[] } {
    const startUp = createStartUp(newEager(), {}, 10_000);
    const rows = [...openingInputs(0)].flatMap((input) => (input.kind === "answer" ? [input.answer.rows] : []))[0];
    const asked = { askedAt: moment(20_000).mono, receivedAt: moment(20_000).at, nonce: undefined };
    const answers = [
      { witness: "trades", rows: [], ...asked },
      { witness: "orders", rows: [], ...asked },
      { witness: "rails", rows: [], ...asked },
      { witness: "supply-changes", asset: "VCHF" as Asset, rows: [], ...asked },
      { witness: "balances", rows, ...asked },
    ] as Extract<Input, { kind: "answer" }>["answer"][];
    const inputs: Input[] = [...answers.map((answer): Input => ({ kind: "answer", answer })), quote(1, 20_000), TIME];
    const followed = inputs.flatMap((input) => startUp.after(input, desk, moment(20_000)).inputs);
    return { phase: startUp.phase.kind, inputs: followed.map(({ kind }) => kind) };
  }

  it("seats the strategy beside a rail in doubt, which moves no money, and waits for an order in doubt", () => {
    const rails = newDesk("raildoub", {}, IDLE);
    openDesk(rails);
    standingRail(rails, 12_000, "doubt");
    expect([...rails.executor.open()].map(({ state }) => state.kind)).toEqual(["doubt"]);
    expect(started(rails)).toEqual({ phase: "trading", inputs: ["strategy"] });
    const orders = newDesk("ordedoub");
    openDesk(orders);
    const [order] = orders.turn([], quote(0.999, 12_000), moment(12_000)).sends;
    if (order === undefined || !isOrder(order)) throw new Error("an order must be approved");
    const id = order.clientOrderId;
    orders.executor.sending(id, { nonce: 7 as Nonce, digest: "d", host: "h" }, moment(12_000));
    const outcome = { kind: "doubt", failure: failure("timeout"), nonce: 7 as Nonce, halt: false } as const;
    orders.turn([], { kind: "outcome", id, outcome }, moment(12_000));
    expect(started(orders)).toEqual({ phase: "resolving", inputs: [] });
  });
});

describe("a safe point", () => {
  it("comes with each order, so that none is sent that the strategy may forget, and not with a bare quote", () => {
    const desk = newDesk("saving00");
    openDesk(desk);
    const turn = desk.turn([], quote(0.999, 9_000), moment(9_000));
    expect(kinds(turn)).toEqual(["step quote", "intent", "state"]);
    expect(turn.records.at(-1)).toMatchObject({ state: { state: { count: 2 } } });
    expect(kinds(desk.turn([], quote(1.001, 11_000), moment(11_000)))).toEqual([]);
    expect(kinds(desk.turn([], quote(0.999, 12_000), moment(12_000)))).toEqual(["step quote", "intent", "state"]);
  });

  it("comes with what the strategy made of a report that it woke for, and else with the first record after ten seconds", () => {
    const counting = (wakes: readonly ("quote" | "report")[]): Strategy =>
      unwrap(
        prepareStrategy(
          defineStrategy({
            name: "counting",
            wakes,
            state: () => ({ filled: 0 }),
            decide({ report, quote, state, buy }) {
              if (report?.kind === "filled") state.filled += report.fill.quantity;
              if (report !== undefined || quote === undefined) return undefined;
              return buy(quote.symbol, { limit: quote.ask, size: 100, reason: "below par" });
            },
          }),
          {},
        ),
      );
    const heard = (wakes: readonly ("quote" | "report")[], at: number): { desk: Desk; records: Turn["records"] } => {
      const desk = newDesk("hearing0", {}, counting(wakes));
      openDesk(desk);
      const turn = desk.turn([], quote(0.999, 2_000), moment(2_000));
      announced(desk, turn, 1, 2_001);
      return { desk, records: desk.turn([], filled(turn), moment(at)).records };
    };
    const told = (...given: Parameters<typeof heard>): readonly JournalRecord[] => heard(...given).records;
    expect(told(["quote", "report"], 2_500).at(-1)).toMatchObject({ kind: "state", state: { state: { filled: 100 } } });
    expect(told(["quote"], 2_500).map(({ kind }) => kind)).not.toContain("state");
    expect(told(["quote"], 12_500).at(-1)).toMatchObject({ kind: "state", state: { state: { filled: 0 } } });
    // And not with the next one, so soon after it.
    expect(kinds(heard(["quote"], 12_500).desk.turn([], reduced(13_000), moment(13_000)))).toEqual(["step control"]);
  });

  it("gives the state back to the same strategy under the same parameters only", () => {
    const desk = newDesk("keeping0");
    openDesk(desk);
    desk.turn([], quote(0.999, 1_000), moment(1_000));
    const saved = desk.turn([], { kind: "save" }, moment(2_000)).records[0] as JournalRecord;
    const entry = { sequence: 2, hash: "", writer: "keeping0", record: saved };
    const again = newDesk("again000");
    again.fold(entry);
    expect(again.seat(newEager()).text).toContain("continues from its last safe point");
    expect(again.engine.strategy.state).toEqual(desk.engine.strategy.state);
    expect(again.seat(newEager({ size: 5 }))).toEqual({
      text: expect.stringMatching(/^strategy eager starts fresh .* belongs to other parameters: size was \d+, is 5$/),
      isWarning: true,
    });
    expect(again.engine.strategy.state).toMatchObject({ count: 0 });
  });

  it("that a strategy does not go on from is on record, with the reason", () => {
    const desk = newDesk("leaving0");
    openDesk(desk);
    desk.turn([], { kind: "save" }, moment(1_000));
    const turn = desk.turn([], { kind: "strategy", strategy: newEager({ size: 5 }) }, moment(2_000));
    const fresh = turn.records.at(-1) as JournalRecord;
    const text = expect.stringMatching(/starts fresh .*: size was \d+, is 5$/);
    expect(fresh).toEqual({ kind: "fresh-start", at: moment(2_000).at, strategy: "eager", text });
    expect([turn.warnings, desk.freshStart]).toEqual([[text], fresh]);
    const again = newDesk("again000");
    again.fold({ sequence: 2, hash: "", writer: "leaving0", record: fresh });
    expect(again.freshStart).toEqual(fresh);
  });

  it("warns of a state that is large, and again when it has doubled", () => {
    const desk = newDesk("growing0");
    openDesk(desk);
    const state = desk.engine.strategy.state as Record<string, unknown>;
    const warned = (count: number, at: number): readonly string[] => {
      state.list = Array.from({ length: count }, (_, index) => index);
      return desk.turn([], { kind: "save" }, moment(at)).warnings;
    };
    expect(warned(32_000, 1_000)).toEqual([]);
    expect(warned(33_000, 2_000)).toEqual([
      expect.stringMatching(/^the strategy's state has 264\d{3} bytes, limit is 4194304: all of it is written/),
    ]);
    expect(warned(60_000, 3_000)).toEqual([]);
    expect(warned(140_000, 4_000)).toHaveLength(1);
    expect(warned(200_000, 5_000)).toEqual([]);
  });

  it("halts where a strategy may not go on with its state, which nothing is recorded over", () => {
    const desk = newDesk("keeping1");
    openDesk(desk);
    desk.turn([], quote(0.999, 1_000), moment(1_000));
    const saved = desk.turn([], { kind: "save" }, moment(2_000)).records[0] as JournalRecord;
    const seat = desk.engine.strategy;
    const throws = () => {
      throw new Error("count by hand what was bought");
    };
    const next = { ...newEager(), definition: { ...newEager().definition, stateVersion: 1, migrateState: throws } };
    const turn = desk.turn([], { kind: "strategy", strategy: next }, moment(3_000));
    expect(desk.engine.strategy).toBe(seat);
    expect(desk.engine.context.books.standing).toMatchObject({
      state: "HALTED",
      cause: "strategy",
      reason: expect.stringMatching(/^strategy eager does not sit down: .*count by hand what was bought/),
    });
    expect(turn.records.filter(({ kind }) => kind === "state")).toEqual([{ ...saved, at: moment(3_000).at }]);
  });

  it("halts again after a resume where nobody sat down at the start", () => {
    const before = newDesk("keeping2");
    const turns = [...openDesk(before), before.turn([], quote(0.999, 1_000), moment(1_000))];
    const records = turns.flatMap((turn) => turn.records);
    const desk = newDesk("keeping2", {}, IDLE);
    records.forEach((record, i) => {
      desk.fold({ sequence: i + 1, hash: "", writer: "keeping2", record });
    });
    const throws = () => {
      throw new Error("count by hand what was bought");
    };
    const strategy = {
      ...newEager(),
      definition: { ...newEager().definition, stateVersion: 1, migrateState: throws },
    };
    desk.turn([], { kind: "strategy", strategy }, moment(3_000));
    const stop = { state: "HALTED", reason: expect.stringContaining("count by hand what was bought") };
    // Also where something else lets it only reduce.
    for (const [ms, isReduced] of [
      [4_000, false],
      [6_000, true],
    ] as const) {
      const control = { kind: "resume", reason: "seen", by: "anna" } as const;
      desk.turn([], { kind: "event", event: { kind: "control", control, receivedAt: moment(ms).at } }, moment(ms));
      if (isReduced) desk.turn([], reduced(ms), moment(ms));
      expect(desk.engine.context.books.state).toBe(isReduced ? "REDUCED" : "ACTIVE");
      desk.turn([], TIME, moment(ms + 1_000));
      expect(desk.engine.context.books.standing).toMatchObject(stop);
    }
  });

  it("halts a bot whose strategy holds what cannot be saved", () => {
    const desk = newDesk("unsaved0");
    openDesk(desk);
    (desk.engine.strategy.state as Record<string, unknown>).later = new Map();
    const turn = desk.turn([], { kind: "save" }, moment(1_000));
    expect(kinds(turn)).toEqual(["step control"]);
    expect(desk.engine.context.books.standing.reason).toContain("state.later");
  });
});

describe("columns", () => {
  it("lead to the same records as events do", () => {
    const asks = Array.from({ length: 400 }, (_, index) => 1 + Math.sin(index * 0.7) * 0.002);
    const byEvents = newDesk("columns0");
    const byColumns = newDesk("columns0");
    const records: JournalRecord[][] = [[], []];
    for (const turn of openDesk(byEvents)) records[0]?.push(...turn.records);
    for (const turn of openDesk(byColumns)) records[1]?.push(...turn.records);
    const columns = createQuoteColumns(PAIR, asks.length);
    asks.forEach((ask, row) => {
      const ms = 1_000 * (row + 1);
      columns.time[row] = moment(ms).at;
      columns.bid[row] = ask - 0.0002;
      columns.ask[row] = ask;
      columns.bidSize[row] = Number.NaN;
      columns.askSize[row] = Number.NaN;
      records[0]?.push(...byEvents.turn([], quote(ask, ms), moment(ms)).records);
    });
    for (let row = 0; row < asks.length; row++) {
      row = byColumns.engine.run(columns, row, asks.length);
      if (row === asks.length) break;
      records[1]?.push(...byColumns.took(byColumns.engine.step, moment(1_000 * (row + 1))).records);
    }
    expect(records[0]?.length).toBeGreaterThan(300);
    expect(texts(records[1] ?? [])).toEqual(texts(records[0] ?? []));
  });
});

describe("two desks on one journal", () => {
  it("never both approve the last unit of a limit, and the chain verifies", async () => {
    const path = temporaryPath();
    const limit = { ordersPerDayMax: 25 };
    const journals = [journalAt(path), journalAt(path)];
    const desks = journals.map((journal) => newDesk(journal.writer, limit));
    const [first, second] = desks as [Desk, Desk];
    for (const input of openingInputs(0)) await committed(first, journals[0] as Journal, input, 0);
    for (const input of [quote(1.001, 0)]) await committed(second, journals[1] as Journal, input, 0);
    let approved = 0;
    for (let round = 1; round <= 40; round++) {
      const ms = round * 1_000;
      // Both at once: who is first is the file's to say.
      const turns = await Promise.all(
        desks.map((desk, index) => committed(desk, journals[index] as Journal, quote(0.999, ms), ms)),
      );
      approved += turns.reduce((sum, { sends }) => sum + sends.length, 0);
    }
    expect(approved).toBe(25);
    const total = (desk: Desk) => desk.engine.context.books.day.orders;
    for (const [index, desk] of desks.entries())
      await committed(desk, journals[index] as Journal, { kind: "news" }, 99_000);
    expect(desks.map(total)).toEqual([25, 25]);
    for (const journal of journals) journal.close();
    const reopened = journalAt(path);
    const intents = reopened.read(0, 10_000);
    expect(intents.ok && intents.value.filter(({ record }) => record.kind === "intent")).toHaveLength(25);
    reopened.close();
  });
});

describe("a restart at any point of the journal", () => {
  /** A life of orders in every state, and where each transaction ended. */
  function life(): { readonly journal: MemoryJournal; readonly desk: Desk; readonly ends: readonly number[] } {
    const journal = new MemoryJournal(opening, "lifetime");
    const desk = newDesk("lifetime");
    const ends = [1];
    const write = (records: readonly JournalRecord[]): void => {
      if (records.length === 0) return;
      for (const record of records) journal.record(record);
      ends.push(journal.head().value.sequence);
    };
    for (const turn of openDesk(desk)) write(turn.records);
    for (let order = 1; order <= 40; order++) {
      const ms = order * 5_000;
      const turn = desk.turn([], quote(0.9985 + (order % 7) * 0.0001, ms), moment(ms));
      write(turn.records);
      if (turn.sends.length === 0) continue;
      const ending = order % 5;
      const { id, outcome } = filled(turn, order);
      if (ending === 4) {
        write(
          desk.turn(
            [],
            { kind: "outcome", id, outcome: { kind: "not-sent", code: "outdated", reason: "late" } },
            moment(ms + 1),
          ).records,
        );
        continue;
      }
      write(announced(desk, turn, order, ms + 1));
      const failure = { code: "not-fillable", status: 200, venueCode: undefined, message: "no counterpart" };
      const rejected = { kind: "rejected", failure, nonce: order as Nonce, receivedAt: millis(0) } as const;
      write(
        desk.turn([], { kind: "outcome", id, outcome: ending === 3 ? rejected : outcome }, moment(ms + 500)).records,
      );
    }
    return { journal, desk, ends };
  }

  it("knows what is reserved, takes over what was open, and sends nothing again", () => {
    const { journal, ends } = life();
    const all = journal.read(0, 100_000);
    if (!all.ok) throw new Error(all.error.message);
    expect(ends.length).toBeGreaterThan(100);
    for (const end of ends) {
      const prefix = all.value.slice(0, end);
      const desk = newDesk("nextlife");
      for (const entry of prefix) desk.fold(entry);
      const accounts = desk.engine.context.accounts as Accounts;
      const turn = desk.turn([], { kind: "time", isGone: (writer) => writer === "lifetime" }, moment(1_000_000));
      const states = new Map([...desk.executor.open()].map(({ id, state }) => [id as string, state.kind]));
      const sending = new Set(prefix.flatMap(({ record }) => (record.kind === "sending" ? [record.id] : [])));
      const ended = new Set(prefix.flatMap(({ record }) => (record.kind === "outcome" ? [record.id] : [])));
      for (const { record } of prefix) {
        if (record.kind !== "intent" || ended.has(record.id)) continue;
        // Without a sending no byte left; with one it may have happened.
        expect(desk.executor.get(record.id)?.state.kind).toBe(sending.has(record.id) ? "doubt" : "not-sent");
      }
      const unclear = [...states].flatMap(([id, kind]) => (kind === "doubt" ? [id] : []));
      expect([...accounts.open.values()].map(({ intent }) => intent.clientOrderId)).toEqual(unclear);
      expect(turn.sends).toEqual([]);
      for (const id of sending)
        expect(() =>
          desk.executor.sending(id, { nonce: 9_999 as Nonce, digest: "", host: "" }, moment(1_000_001)),
        ).toThrow();
    }
  });

  it("comes to the same accounts and books as the process that never ended", () => {
    const { journal, desk } = life();
    const restored = restore(newDesk("lifetime"), journal);
    if (!restored.ok) throw new Error(restored.error.message);
    const saved = ({ engine: { context, sequence } }: Desk) =>
      JSON.stringify([sequence, (context.accounts as Accounts).save(), context.books.save()]);
    expect(saved(restored.value)).toBe(saved(desk));
    const open = ({ executor }: Desk) => [...executor.open()].map(({ id, state }) => `${id} ${state.kind}`);
    expect(open(restored.value)).toEqual(open(desk));
  });

  it("is none where the journal counts in another currency than the limits do, and says what to do", () => {
    const { journal } = life();
    const other = (): Desk => newDesk("lifetime", { currency: "GBP" as Asset });
    expect(restoreFrom(other, journal, undefined)).toMatchObject({
      ok: false,
      error: { code: "journal-foreign", message: expect.stringMatching(/counts in CHF.* in GBP.*risk\.currency back/) },
    });
  });

  it("misses nothing of a journal in which its own records stand between those of others", async () => {
    const path = temporaryPath();
    const other = journalAt(path);
    const own = journalAt(path);
    const desk = newDesk(other.writer);
    const inputs = openingInputs(0);
    for (const input of inputs.slice(0, 1)) await committed(desk, other, input, 0);
    // Without having been handed anything: a fact needs no news.
    const adopting = newDesk(own.writer).turn([], inputs[1] as Input, moment(0));
    await own.append(adopting.records);
    for (const input of inputs.slice(2)) await committed(desk, other, input, 0);
    const restored = restore(newDesk(own.writer), own);
    expect(restored.ok && String(restored.value.engine.context.accounts.held("CHF" as Asset))).toBe("100000");
    expect(restored.ok && String(restored.value.engine.context.accounts.spendable("CHF" as Asset))).toBe("100000");
    const news = own.news();
    expect(news.ok && news.value).toEqual([]);
    other.close();
    own.close();
  });

  it("misses nothing that others wrote while it read past records of its own", () => {
    const entries = [1, 2, 3, 4].map((sequence) => ({ sequence }) as Entry);
    const [first, , third, fourth] = entries as [Entry, Entry, Entry, Entry];
    // The second is its own, and the fourth comes when the third is read.
    const handed = [[first], [third], [fourth]];
    const journal = { news: () => ok(handed.shift() ?? []), read: (after: number) => ok(entries.slice(after, 3)) };
    const folded = new Set<number>();
    restore({ fold: ({ sequence }: Entry) => folded.add(sequence) } as Pick<Desk, "fold"> as Desk, journal);
    expect([...folded]).toEqual([1, 2, 3, 4]);
  });

  it("reads a long journal in batches, and is handed what others wrote only once", async () => {
    const path = temporaryPath();
    const writer = journalAt(path);
    const desk = newDesk(writer.writer);
    for (const input of openingInputs(0)) await committed(desk, writer, input, 0);
    const heartbeat = { kind: "control", at: moment(0).at, control: { kind: "heartbeat", by: "test" } } as const;
    await writer.append(Array.from({ length: 2_500 }, () => heartbeat));
    writer.close();
    const journal = journalAt(path);
    const restored = restore(newDesk(journal.writer), journal);
    expect(restored.ok && String(restored.value.engine.context.accounts.held("CHF" as Asset))).toBe("100000");
    const news = journal.news();
    expect(news.ok && news.value).toEqual([]);
    journal.close();
  });
});
