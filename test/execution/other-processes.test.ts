// Orders of other processes that live, stand still or died, and those of a process that read its own journal again.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { look, ONE_FILLED, settled } from "./first-fill.ts";
import { gathered } from "./gathered.ts";
import { Keeping, opened, orderOf, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

function lostIds({ executor, now }: Keeping, isGone: (writer: string) => boolean): readonly string[] {
  return executor.lost(isGone, now.at).map(({ id }) => id);
}

describe("other processes", () => {
  /** A command that reads what the bot wrote, and writes where the bot reads. */
  function commandBeside(bot: Keeping, writer = "order001"): { readonly command: Keeping; readonly tell: () => void } {
    const command = new Keeping({ writer, entries: bot.entries });
    command.nonce = bot.nonce;
    const tell = (): void => {
      bot.nonce = command.nonce;
      for (const entry of command.entries.slice(bot.entries.length)) bot.hear(entry);
    };
    return { command, tell };
  }

  test("keep their own orders as long as they live: the bot asks nothing about them and fences nothing", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.doubt();
    tell();
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets" });
    bot.take((out) => bot.executor.recover(() => false, bot.now, out));
    const { length } = bot.entries;
    for (const seconds of [10, 1_000]) {
      expect(bot.at(seconds).asks).toEqual([]);
      expect(bot.trades([]).asks).toEqual([]);
    }
    expect([bot.state(id), bot.entries.length, bot.controls]).toEqual(["unknown", length, []]);
  });

  test("that died leave their orders to the bot, which says so in the journal and goes after them", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const intended = command.intend();
    const id = command.send();
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect([bot.state(intended), bot.state(id)]).toEqual(["not-sent", "unknown"]);
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
    expect(bot.entries.filter(({ record }) => record.kind === "recovered").map(({ writer }) => writer)).toEqual([
      "bot00001",
      "bot00001",
    ]);
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
    expect(bot.accounts.open.size).toBe(0);
    // A third process sees that the bot keeps it now.
    const third = new Keeping({ writer: "order002", entries: bot.entries });
    const taken = gathered((out) => third.executor.recover((writer) => writer === "order001", third.now, out));
    expect(taken.records).toEqual([]);
  });

  test("that died before what they had recorded was heard leave that to the bot, and nothing is heard twice", () => {
    const bot = opened();
    const { command } = commandBeside(bot);
    const id = command.fill();
    // Its outcome is on disk, and the step that booked it is not.
    for (const entry of command.entries.slice(bot.entries.length, -1)) bot.hear(entry);
    expect([bot.state(id), bot.accounts.held(VCHF)]).toEqual(["accepted", Money.zero(VCHF)]);
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect(bot.reports).toMatchObject([{ id, report: { kind: "filled", confirmed: false } }]);
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
    const recovered = () => {
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      return next.take((out) => next.executor.recover(() => true, next.now, out));
    };
    expect(recovered().reports).toEqual([]);
    bot.trades([tradeOf(id)]);
    const next = recovered().balances(ONE_FILLED);
    expect([next.state(id), next.reports]).toEqual(["settled", []]);
  });

  test("that stand still over a request are taken for lost after a minute; woken, they send nothing new and are heard where it is certain", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const intended = command.intend();
    const [filled, id] = [command.send(), command.send()];
    tell();
    const recover = (): Keeping => bot.take((out) => bot.executor.recover(() => false, bot.now, out));
    bot.at(59);
    recover();
    expect([bot.state(id), lostIds(bot, () => false)]).toEqual(["sending", []]);
    bot.at(60);
    expect(lostIds(bot, () => false)).toEqual([filled, id]);
    recover();
    expect([bot.state(intended), bot.state(filled), bot.state(id)]).toEqual(["intended", "unknown", "unknown"]);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["trades", "trades"]);
    for (const entry of bot.entries.slice(command.entries.length)) command.hear(entry);
    command.fill(filled);
    command.reject(id);
    expect([command.state(filled), command.state(id)]).toEqual(["accepted", "unknown"]);
  });

  test("that were taken for dead and bring an answer after all are heard where it is certain", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.send();
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    for (const entry of bot.entries.slice(command.entries.length)) command.hear(entry);
    command.fill(id);
    expect(command.state(id)).toBe("accepted");
    expect(command.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
    const other = commandBeside(bot, "order002");
    const rejected = other.command.send();
    other.tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order002", bot.now, out));
    for (const entry of bot.entries.slice(other.command.entries.length)) other.command.hear(entry);
    other.command.reject(rejected);
    expect(other.command.state(rejected)).toBe("unknown");
  });

  test("that took a living one for dead and ended leave it to that one again, whose answer is still heard", () => {
    const bot = opened();
    const [filled, rejected] = [bot.send(), bot.send()];
    const { command, tell } = commandBeside(bot);
    command.take((out) => command.executor.recoverLost(() => true, command.now, out));
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect([bot.state(filled), bot.state(rejected)]).toEqual(["unknown", "unknown"]);
    bot.fill(filled);
    bot.reject(rejected);
    expect([bot.state(filled), bot.state(rejected)]).toEqual(["accepted", "unknown"]);
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
  });

  test("that were taken for dead before they sent, and sent all the same, leave a journal that every process can read: the outcome is unknown", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.intend();
    tell();
    const known = command.entries.length;
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect(bot.state(id)).toBe("not-sent");
    // It has not read that: its record of sending comes after the one that gave it up.
    command.send(id);
    const [sending] = command.entries.slice(known);
    if (sending?.record.kind !== "sending") throw new Error("it must be on record as sent");
    bot.hear(sending);
    bot.nonce = command.nonce;
    const read = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, read]) {
      expect(one.entries.flatMap(({ record }) => ("id" in record && record.id === id ? [record.kind] : []))).toEqual([
        "intent",
        "recovered",
        "sending",
      ]);
      expect(one.executor.get(id)?.state).toMatchObject({ kind: "unknown", code: "crash", absences: 0 });
      expect(one.executor.freeze(one.now)).toMatchObject({ kind: "assets", assets: [VCHF, CHF] });
      one.take((out) => one.executor.recover((writer) => writer === "order001", one.now, out));
      expect(one.asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
      one.trades([tradeOf(id)]);
      expect([one.state(id), one.accounts.held(VCHF)]).toEqual(["confirmed", Money.of("100", VCHF)]);
    }
  });

  test("that died with a request approved and not sent leave it to any command, which frees it; not those that live", () => {
    const bot = opened();
    const { command: dead, tell } = commandBeside(bot, "order001");
    const [freed, sent] = [dead.intend(), dead.send()];
    tell();
    const { command: living, tell: tellLiving } = commandBeside(bot, "order002");
    const kept = living.intend();
    tellLiving();
    const { command } = commandBeside(bot, "resolve1");
    expect(command.accounts.open.size).toBe(3);
    const isGone = (writer: string): boolean => writer === "order001";
    expect(lostIds(command, isGone)).toEqual([freed, sent]);
    command.take((out) => command.executor.recoverLost(isGone, command.now, out));
    expect([freed, sent, kept].map((id) => command.state(id))).toEqual(["not-sent", "unknown", "intended"]);
    expect(command.reports.filter(({ id }) => id === freed)).toEqual([
      { id: freed, report: { kind: "not-sent", reason: "the process ended before it was to be sent" } },
    ]);
    expect(command.accounts.open.size).toBe(2);
    // Once is enough.
    expect(lostIds(command, isGone)).toEqual([]);
  });

  test("that are answered as done after they were taken over are booked, and their trade is still looked for", () => {
    const taken = (): { bot: Keeping; command: Keeping; id: string } => {
      const bot = opened();
      const { command, tell } = commandBeside(bot);
      const id = command.send();
      tell();
      bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
      for (const entry of bot.entries.slice(command.entries.length)) command.hear(entry);
      const known = command.entries.length;
      command.fill(id);
      for (const entry of command.entries.slice(known)) bot.hear(entry);
      return { bot, command, id };
    };
    const { bot, command, id } = taken();
    expect(command.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    expect([command.state(id), bot.state(id)]).toEqual(["accepted", "accepted"]);
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    bot.at(5).trades([tradeOf(id)]);
    expect([bot.state(id), bot.accounts.held(VCHF)]).toEqual(["confirmed", Money.of("100", VCHF)]);
    // One that no history ever shows stops the bot.
    const other = taken();
    other.bot.take((out) => other.bot.executor.recover((writer) => writer === "order001", other.bot.now, out));
    for (const seconds of [5, 600, 905]) other.bot.at(seconds).trades([]);
    expect(other.bot.controls).toMatchObject([
      { cause: "doubt", reason: `${other.id} was answered as done, and history does not show it after 0:15:00` },
    ]);
  });

  test("leave an order of unknown outcome, of which the bot reads what cannot be, to the bot, which goes on asking", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.doubt();
    tell();
    const known = command.entries.length;
    bot.trades([tradeOf(id, { sold: Money.of("990", CHF) })]);
    for (const entry of bot.entries.slice(known)) command.hear(entry);
    expect([bot.phase(id), command.phase(id)]).toEqual(["escalated", "escalated"]);
    const asksOf = (one: Keeping): boolean => {
      one.at(5).take((out) => one.executor.recover(() => false, one.now, out));
      return one.asks.length > 0;
    };
    expect([asksOf(bot), asksOf(command)]).toEqual([true, false]);
  });

  test("have ids that are known: their trades are not foreign", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.fill();
    tell();
    bot.trades([tradeOf(id)]).orders([orderOf(id, "Filled")]);
    expect(bot.controls).toEqual([]);
    expect(bot.state(id)).toBe("confirmed");
  });
});

describe("a process that had to read its own journal again", () => {
  test("waits for the whole window after the fence, however long it has been running", () => {
    const { bot, first } = settled();
    bot.at(400);
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    look(bot, 400, first);
    look(bot, 405, first);
    const again = new Keeping({ entries: bot.entries });
    again.nonce = bot.nonce;
    expect(again.phase(id)).toBe("fenced");
    again.seconds = 410;
    again.take((out) => again.executor.recover(() => false, again.now, out));
    for (const seconds of [410, 416, 426, 441, 471]) look(again, seconds, first);
    expect(again.phase(id)).toBe("fenced");
    look(again, 531, first);
    expect(again.state(id)).toBe("released");
  });

  test("calls no person about what it has just found again, and freezes no more than it concerns", () => {
    const bot = opened();
    bot.at(100_000);
    const doubtful = bot.doubt();
    const again = new Keeping({ entries: bot.entries });
    again.seconds = 100_001;
    expect(again.executor.freeze(again.now)).toMatchObject({ kind: "assets" });
    again.at(100_001);
    expect([again.state(doubtful), again.asks]).toEqual(["unknown", []]);
    again.take((out) => again.executor.recover(() => false, again.now, out));
    expect([again.state(doubtful), again.controls]).toEqual(["unknown", []]);
    expect(again.asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
  });

  test("leaves alone what it is just sending: its answer is still to come", () => {
    const bot = opened();
    const sent = bot.send();
    const again = new Keeping({ entries: bot.entries });
    again.nonce = bot.nonce;
    again.take((out) => again.executor.recover(() => false, again.now, out));
    expect(again.state(sent)).toBe("sending");
    again.fill(sent);
    expect(again.state(sent)).toBe("accepted");
  });
});
