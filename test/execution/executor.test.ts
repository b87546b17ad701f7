import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { Alarms } from "../../src/execution/alarms.ts";
import { gathered } from "./gathered.ts";
import { fillOf, Keeping, type KeepingOptions, orderOf, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

const opened = (options: KeepingOptions = {}) =>
  new Keeping(options).opened(Money.of("1000", CHF), Money.of("0", VCHF));

const STRANGERS_WAY_OUT =
  /^was it you\? If not, revoke the key in the venue's portal first; then pegbot adopt, then pegbot resume --reason "..."$/;
const UNTOUCHED = { CHF: "1000", VCHF: "0" };
const ONE_FILLED = { CHF: "899.95", VCHF: "100" };

/** All three witnesses say that there is nothing but these. */
function look(bot: Keeping, seconds: number, ...known: readonly string[]): void {
  bot.at(seconds);
  bot.trades(known.map((id) => tradeOf(id)));
  bot.orders(known.map((id) => orderOf(id, "Filled")));
  bot.balances(known.length === 0 ? UNTOUCHED : ONE_FILLED);
}

/** A fill that history and balances have shown: the sentinel of what comes later. */
function settled(options: KeepingOptions = {}): { readonly bot: Keeping; readonly first: string } {
  const bot = opened(options);
  const first = bot.fill();
  bot.trades([tradeOf(first)]).balances(ONE_FILLED);
  return { bot, first };
}

function kindsOf(bot: Keeping, id: string): readonly string[] {
  return bot.entries.flatMap(({ record }) => ("id" in record && record.id === id ? [record.kind] : []));
}

describe("an order that goes well", () => {
  test("is booked by its answer, confirmed by history and settled by the balances, with one record each", () => {
    const bot = opened();
    const id = bot.fill();
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
    bot.balances(ONE_FILLED);
    expect(bot.state(id)).toBe("settled");
    expect(kindsOf(bot, id)).toEqual(["intent", "sending", "outcome", "evidence", "settled"]);
    expect(bot.reports.map(({ report }) => report)).toMatchObject([
      { kind: "filled", confirmed: false },
      { kind: "filled", confirmed: true, fill: { tradeId: `t-${id}` } },
    ]);
    expect([...bot.executor.open()]).toEqual([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("is not settled before the balances show it, nor while they may show an order in doubt instead", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances(UNTOUCHED);
    expect(bot.state(id)).toBe("confirmed");
    // The same quantity at a limit that allows the same price.
    bot.doubt();
    bot.balances(ONE_FILLED);
    expect(bot.state(id)).toBe("confirmed");
    bot.balances({ CHF: "799.90", VCHF: "200" });
    expect(bot.state(id)).toBe("settled");
  });

  test("is confirmed together with all others that one answer shows, and never twice", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill(), bot.fill()];
    bot.trades(ids.map((id) => tradeOf(id)));
    expect(ids.map((id) => bot.state(id))).toEqual(["confirmed", "confirmed", "confirmed"]);
    const { length } = bot.entries;
    bot.trades(ids.map((id) => tradeOf(id)));
    expect(bot.entries.length).toBe(length);
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("300", VCHF));
  });

  test("is confirmed by a trade that the venue lists only under its own order id", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id, { clientOrderId: undefined })]);
    expect(bot.state(id)).toBe("confirmed");
    expect(bot.controls).toEqual([]);
  });

  test("uses its client order id once", () => {
    const bot = opened();
    const id = bot.fill();
    expect(() => bot.take((out) => bot.executor.intend({ ...intentOf(bot, id) }, undefined, bot.now, out))).toThrow(
      `${id} must be used once`,
    );
  });

  test("is sent once: a second SENDING record is refused as a bug", () => {
    const bot = opened();
    const id = bot.send();
    expect(() => bot.send(id)).toThrow("must be sent once, was sending");
  });
});

describe("an order in doubt", () => {
  test("is fenced by a later nonce that was accepted, and that answer itself is no evidence", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
    bot.trades([tradeOf(first)]);
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 0 });
    expect(kindsOf(bot, id)).toEqual(["intent", "sending", "doubt", "fenced"]);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["trades", "orders", "balances"]);
  });

  test("has one fence on record, however many answers come after it, also once a person was called", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    for (const seconds of [1, 2, 3]) look(bot, seconds, first);
    bot.at(1_000);
    for (const seconds of [1_001, 1_002]) look(bot, seconds, first);
    expect([bot.state(id), kindsOf(bot, id).filter((kind) => kind === "fenced").length]).toEqual(["escalated", 1]);
  });

  test("is presumed dead after three rounds of absence, the last one 120 s after the fence; and freed", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 15, 30, 60]) look(bot, seconds, first);
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 5 });
    expect(bot.accounts.open.size).toBe(1);
    look(bot, 120, first);
    expect(bot.state(id)).toBe("presumed-dead");
    expect(bot.accounts.open.size).toBe(0);
    expect(bot.reports.at(-1)).toMatchObject({ id, report: { kind: "dead" } });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("is not counted absent in a list that lacks the last order before it", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 15, 120, 300]) {
      bot.at(seconds);
      bot.trades([]).orders([]).balances(ONE_FILLED);
    }
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 0 });
  });

  test("is not counted absent in a list that lacks an order which was answered as filled before it", () => {
    const bot = opened();
    bot.fill();
    const id = bot.doubt();
    bot.trades([]);
    for (const seconds of [0, 5, 120, 300]) bot.at(seconds).trades([]).orders([]).balances(ONE_FILLED);
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 0 });
  });

  test("is counted absent in an empty list where the account had no history before it", () => {
    const bot = opened();
    const id = bot.doubt();
    bot.trades([]);
    for (const seconds of [0, 5, 120]) look(bot, seconds);
    expect(bot.state(id)).toBe("presumed-dead");
  });

  test("is judged only by answers to questions that were posted after its round began", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    bot.at(5);
    const before = mono(4_000);
    bot.trades([tradeOf(first)], before);
    bot.orders([orderOf(first, "Filled")], before).balances(ONE_FILLED, before);
    expect(bot.executor.get(id)?.state).toMatchObject({ negatives: 1 });
    expect(kindsOf(bot, id).filter((kind) => kind === "evidence").length).toBe(1);
  });

  test("is a fill as soon as a trade shows it, booked once", () => {
    const bot = opened();
    const id = bot.doubt();
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
    expect(bot.accounts.held(CHF)).toEqual(Money.of("899.95", CHF));
    expect(bot.reports.map(({ report }) => report.kind)).toEqual(["doubt", "filled"]);
    bot.trades([tradeOf(id)]).balances(ONE_FILLED);
    expect(bot.state(id)).toBe("settled");
    expect(bot.accounts.held(CHF)).toEqual(Money.of("899.95", CHF));
  });

  test("freezes its two assets; a second one freezes everything", () => {
    const bot = opened();
    bot.doubt();
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [VCHF, CHF] });
    bot.doubt();
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "everything" });
  });

  test("is not given up while the balances are explained only with it", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 15, 119]) {
      bot.at(seconds);
      bot
        .trades([tradeOf(first)])
        .orders([orderOf(first, "Filled")])
        .balances({ CHF: "799.90", VCHF: "200" });
    }
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 0 });
    expect(bot.controls).toEqual([]);
  });

  test("of two that balances cannot tell apart, neither is given up", () => {
    const { bot, first } = settled();
    const ids = [bot.doubt(), bot.doubt()];
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 120, 300]) {
      bot.at(seconds);
      bot
        .trades([tradeOf(first)])
        .orders([orderOf(first, "Filled")])
        .balances({ CHF: "799.90", VCHF: "200" });
    }
    expect(ids.map((id) => bot.state(id))).toEqual(["fenced", "fenced"]);
  });

  test("above the cap is closed by a person, and the record says who", () => {
    const { bot, first } = settled({ settings: { releaseBpsMax: 10 } });
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 120]) look(bot, seconds, first);
    expect(bot.state(id)).toBe("escalated");
    const resolution = { kind: "not-landed", by: "anna", reason: "ticket 12" } as const;
    bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
    expect(bot.entries.findLast(({ record }) => record.kind === "resolution")?.record).toMatchObject({
      verdict: { kind: "presumed-dead" },
      by: "anna",
      reason: "ticket 12",
    });
    expect(bot.accounts.open.size).toBe(0);
  });
});

test("a fill that a person stated and the balances never show is named by the stop for what is missing", () => {
  const bot = opened();
  const id = bot.doubt();
  look(bot, 5);
  bot.at(1_000);
  const resolution = { kind: "landed", receipt: fillOf(id), by: "anna", reason: "portal" } as const;
  bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
  expect(bot.state(id)).toBe("confirmed");
  for (const seconds of [1_130, 1_140, 1_300]) bot.at(seconds).balances(UNTOUCHED);
  const text = `; -100 VCHF, 100.05 CHF is just what the books have of order ${id}, and the balances do not show it`;
  expect(bot.controls).toMatchObject([{ cause: "balances", reason: expect.stringContaining(text) }]);
  expect(bot.executor.balances.likeness([Money.of("100.05", CHF)]).text).toBe("");
});

describe("an order that was given up", () => {
  test("and fills all the same is booked, and stops the bot", () => {
    const bot = opened();
    const id = bot.reject();
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("zombie");
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "late_fill",
        reason: expect.stringMatching(
          / given up \(rejected\): bought 100 VCHF for 100.05 CHF, fee 0 CHF; it is booked$/,
        ),
      },
    ]);
    bot.balances(ONE_FILLED);
    expect(bot.state(id)).toBe("settled");
  });

  test("is recognised after ten thousand others, when only its end is remembered", () => {
    const bot = opened();
    const id = bot.reject();
    for (let count = 0; count < 10_000; count++) bot.reject();
    expect(bot.executor.get(id)).toBeUndefined();
    bot.orders([orderOf(id, "Rejected")]);
    expect(bot.controls).toEqual([]);
    bot.trades([tradeOf(id)]);
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "foreign",
        reason: expect.stringContaining(id),
        wayOut: expect.stringMatching(STRANGERS_WAY_OUT),
      },
    ]);
    expect(() => bot.send(bot.intend(id))).toThrow("must be used once");
  });

  test("or was never sent, and is listed as an order, stops the bot", () => {
    const bot = opened();
    const rejected = bot.reject();
    bot.orders([orderOf(rejected, "Rejected")]);
    expect(bot.controls).toEqual([]);
    bot.orders([orderOf(rejected, "Filled")]);
    expect(bot.controls).toMatchObject([
      { reason: `the venue lists ${rejected} as Filled, which had been given up (rejected)` },
    ]);
    const intended = bot.intend();
    bot.orders([orderOf(intended, "Rejected")]);
    expect(bot.controls.at(-1)).toMatchObject({
      cause: "foreign",
      reason: `the venue lists ${intended}, which was never sent`,
      wayOut: expect.stringMatching(STRANGERS_WAY_OUT),
    });
  });
});

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
    expect([bot.state(id), bot.entries.length, bot.controls]).toEqual(["doubt", length, []]);
  });

  test("that died leave their orders to the bot, which says so in the journal and goes after them", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const intended = command.intend();
    const id = command.send();
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect([bot.state(intended), bot.state(id)]).toEqual(["not-sent", "doubt"]);
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
    expect([bot.state(id), bot.executor.lost(() => false, bot.now.at)]).toEqual(["sending", []]);
    bot.at(60);
    expect(bot.executor.lost(() => false, bot.now.at)).toEqual([filled, id]);
    recover();
    expect([bot.state(intended), bot.state(filled), bot.state(id)]).toEqual(["intended", "doubt", "doubt"]);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["trades", "trades"]);
    for (const entry of bot.entries.slice(command.entries.length)) command.hear(entry);
    command.fill(filled);
    command.reject(id);
    expect([command.state(filled), command.state(id)]).toEqual(["confirmed", "doubt"]);
  });

  test("that were taken for dead and bring an answer after all are heard where it is certain", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.send();
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    for (const entry of bot.entries.slice(command.entries.length)) command.hear(entry);
    command.fill(id);
    expect(command.state(id)).toBe("confirmed");
    expect(command.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
    const other = commandBeside(bot, "order002");
    const rejected = other.command.send();
    other.tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order002", bot.now, out));
    for (const entry of bot.entries.slice(other.command.entries.length)) other.command.hear(entry);
    other.command.reject(rejected);
    expect(other.command.state(rejected)).toBe("doubt");
  });

  test("that took a living one for dead and ended leave it to that one again, whose answer is still heard", () => {
    const bot = opened();
    const [filled, rejected] = [bot.send(), bot.send()];
    const { command, tell } = commandBeside(bot);
    command.take((out) => command.executor.doubtLost(() => true, command.now, out));
    tell();
    bot.take((out) => bot.executor.recover((writer) => writer === "order001", bot.now, out));
    expect([bot.state(filled), bot.state(rejected)]).toEqual(["doubt", "doubt"]);
    bot.fill(filled);
    bot.reject(rejected);
    expect([bot.state(filled), bot.state(rejected)]).toEqual(["confirmed", "doubt"]);
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("100", VCHF));
  });

  test("leave an order in doubt, of which the bot reads what cannot be, to the bot, which goes on asking", () => {
    const bot = opened();
    const { command, tell } = commandBeside(bot);
    const id = command.doubt();
    tell();
    const known = command.entries.length;
    bot.trades([tradeOf(id, { sold: Money.of("990", CHF) })]);
    for (const entry of bot.entries.slice(known)) command.hear(entry);
    expect([bot.state(id), command.state(id)]).toEqual(["escalated", "escalated"]);
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
    expect(again.state(id)).toBe("fenced");
    again.seconds = 410;
    again.take((out) => again.executor.recover(() => false, again.now, out));
    for (const seconds of [410, 416, 426, 441, 471]) look(again, seconds, first);
    expect(again.state(id)).toBe("fenced");
    look(again, 531, first);
    expect(again.state(id)).toBe("presumed-dead");
  });

  test("calls no person about what it has just found again, and freezes no more than it concerns", () => {
    const bot = opened();
    bot.at(100_000);
    const doubtful = bot.doubt();
    const again = new Keeping({ entries: bot.entries });
    again.seconds = 100_001;
    expect(again.executor.freeze(again.now)).toMatchObject({ kind: "assets" });
    again.at(100_001);
    expect([again.state(doubtful), again.asks]).toEqual(["doubt", []]);
    again.take((out) => again.executor.recover(() => false, again.now, out));
    expect([again.state(doubtful), again.controls]).toEqual(["doubt", []]);
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

describe("what is measured", () => {
  test("the time from an answer to its trade in history sets the window, also after a restart", () => {
    const bot = opened();
    const id = bot.fill();
    bot.seconds = 30;
    bot.trades([tradeOf(id)]);
    expect(bot.executor.terms.windowMs).toBe(300_000);
    expect(new Keeping({ writer: "bot00002", entries: bot.entries }).executor.terms.windowMs).toBe(300_000);
  });

  test("the time during which no process looked measures nothing", () => {
    const bot = opened();
    const id = bot.fill();
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.seconds = 40_000;
    next.take((out) => next.executor.recover(() => true, next.now, out)).trades([tradeOf(id)]);
    expect(next.state(id)).toBe("confirmed");
    expect(next.controls).toEqual([]);
    expect(next.executor.terms.windowMs).toBe(120_000);
    // Acknowledged it is all the same, and the next process reads it so.
    expect(next.executor.terms.releaseMax).toBeDefined();
    expect(new Keeping({ writer: "bot00003", entries: next.entries }).executor.terms.windowMs).toBe(120_000);
  });

  test("nothing is freed without a person before enough orders were answered and seen in history", () => {
    const bot = opened({ settings: { acknowledgedMin: 2 } });
    const ids = [bot.fill(), bot.fill()];
    bot.trades(ids.slice(0, 1).map((id) => tradeOf(id)));
    expect(bot.executor.terms.releaseMax).toBeUndefined();
    bot.trades(ids.map((id) => tradeOf(id)));
    expect(bot.executor.terms.releaseMax).toEqual(Money.of("200", CHF));
    const entries = bot.entries;
    const next = new Keeping({ writer: "bot00002", settings: { acknowledgedMin: 2 }, entries });
    expect(next.executor.terms.releaseMax).toEqual(Money.of("200", CHF));
  });
});

test("a wall clock that is set makes balances that follow a fill neither late nor patient for ever", () => {
  const seen = (wallMs: number, seconds: number) => {
    const bot = opened();
    bot.seconds = 7_200;
    const id = bot.fill();
    bot.trades([tradeOf(id)]);
    bot.seconds += seconds;
    const now = { at: millis(bot.now.at + wallMs), mono: bot.now.mono };
    return bot.executor.balances.movers(now).map((mover) => mover.id === id && mover.booked);
  };
  const HOUR = 3_600_000;
  expect([seen(0, 119), seen(HOUR, 119), seen(-HOUR, 119)]).toEqual([[true], [true], [true]]);
  expect([seen(0, 120), seen(HOUR, 120), seen(-HOUR, 120)]).toEqual([[], [], []]);
});

describe("a venue that refuses", () => {
  test("an account stops the bot: by an answer to an order, and by one to a question", () => {
    const bot = opened();
    bot.reject(bot.send(), 403);
    expect(bot.controls).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
    const other = opened();
    other.take((out) =>
      other.executor.unanswered({ witness: "trades", askedAt: other.now.mono, code: "kyb-required" }, other.now, out),
    );
    expect(other.controls).toMatchObject([
      { kind: "halt", cause: "venue", reason: "the venue forbids this account to ask: kyb-required" },
    ]);
  });

  test("a question with a 403 that names no reason stops the bot the second time in a row", () => {
    const bot = opened();
    const forbid = (witness: "trades" | "balances" | "payments", isShared = false) =>
      bot.take((out) =>
        bot.executor.unanswered({ witness, askedAt: bot.now.mono, code: "forbidden", isShared }, bot.now, out),
      );
    forbid("trades").trades([]);
    forbid("trades");
    // One request that two had asked for; another list; one that some keys may not ask for.
    forbid("trades", true);
    forbid("balances");
    forbid("payments");
    forbid("payments");
    expect(bot.controls).toEqual([]);
    forbid("trades");
    expect(bot.controls).toMatchObject([
      { kind: "halt", cause: "venue", reason: "the venue forbids this account to ask: forbidden" },
    ]);
  });

  test("the key twice in a row stops the bot; at once when something is in doubt", () => {
    const bot = opened();
    const refuse = (keeping: Keeping, isShared = false) => {
      const question = { witness: "trades", askedAt: keeping.now.mono, code: "unauthorized", isShared } as const;
      return keeping.take((out) => keeping.executor.unanswered(question, keeping.now, out));
    };
    refuse(bot).trades([]);
    refuse(bot);
    // One request, and two who had asked for it.
    refuse(bot, true);
    expect(bot.controls).toEqual([]);
    refuse(bot);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "venue", reason: "the venue refuses our key" }]);
    const doubtful = opened();
    doubtful.doubt();
    expect(refuse(doubtful).controls).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
  });
});

test("an old doubt and a list that cannot be read freeze everything, each with its own reason", () => {
  const bot = opened();
  const id = bot.doubt();
  const failing = (second: number) =>
    bot.at(second).take((out) => {
      bot.executor.unanswered({ witness: "trades", askedAt: bot.now.mono, code: "venue-down" }, bot.now, out);
      bot.executor.time(bot.now, out);
    });
  failing(1);
  // What nobody can read keeps no person from being called about a doubt, and of an order its report alone does that.
  expect(bot.at(901).said).toMatchObject([{ kind: "report", clientOrderId: id, report: { kind: "escalated" } }]);
  failing(901);
  expect(bot.executor.freeze(bot.now)).toEqual({
    kind: "everything",
    reason: `the outcome of ${id} is unknown for 0:15:00 or more; the venue's trades cannot be read for 0:02:00 or more: what was booked since is checked by nobody`,
  });
});

test("orders answered as done whose history cannot be read are one stop that says so, and need no other once it is read", () => {
  const bot = opened();
  const ids = [bot.fill(), bot.fill()];
  const unread = (second: number) =>
    bot.at(second).take((out) => {
      const question = { witness: "trades", askedAt: bot.now.mono, code: "venue-down" } as const;
      bot.executor.unanswered(question, bot.now, out);
      bot.executor.time(bot.now, out);
    });
  unread(1);
  unread(900);
  expect(bot.controls).toEqual([]);
  unread(901);
  unread(960);
  expect(bot.controls).toEqual([
    {
      kind: "halt",
      cause: "venue",
      subject: "unread trades",
      reason:
        "the venue's trades cannot be read for 0:15:00 or more, so that what was answered as done is confirmed by nobody",
      wayOut: 'pegbot doctor until the venue\'s trades can be read, then pegbot resume --reason "..."',
    },
  ]);
  bot.trades(ids.map((id) => tradeOf(id))).at(961);
  bot.take((out) => bot.executor.time(bot.now, out));
  expect(bot.controls.length).toBe(1);
  expect(ids.map((id) => bot.executor.get(id)?.state.kind)).toEqual(["confirmed", "confirmed"]);
});

test("a list that failed once, long before anybody waited for it, stops nothing: it is asked for first", () => {
  const bot = opened();
  const fail = (second: number) =>
    bot.at(second).take((out) => {
      const question = { witness: "trades", askedAt: bot.now.mono, code: "timeout" } as const;
      bot.executor.unanswered(question, bot.now, out);
      bot.executor.time(bot.now, out);
    });
  fail(1);
  bot.seconds = 2_000;
  bot.fill();
  fail(2_899);
  expect(bot.controls).toEqual([]);
  fail(2_900);
  expect(bot.controls).toMatchObject([{ cause: "venue", subject: "unread trades" }]);
});

describe("an order that is confirmed late", () => {
  const unread = (bot: Keeping, second: number): void => {
    const question = { witness: "trades", askedAt: bot.now.mono, code: "venue-down" } as const;
    bot.at(second).take((out) => bot.executor.unanswered(question, bot.now, out));
  };
  /** How late the venue shows trades, as it is known now and by whoever folds the journal. */
  const published = (bot: Keeping): readonly number[] => {
    const folded = new Keeping();
    for (const entry of bot.entries) folded.hear(entry);
    return [bot, folded].map(({ executor }) => executor.terms.publishedMs);
  };

  test("was published as late as history first showed it, while that was read as usual or failed for a moment", () => {
    const bot = opened();
    const id = bot.fill();
    bot.at(5).trades([]);
    unread(bot, 10);
    bot.at(30).trades([tradeOf(id)]);
    expect(published(bot)).toEqual([30_000, 30_000]);
  });

  test.each([110, 3_600])(
    "because the list could not be read, by %s s, says no more of the venue than the last answer without it",
    (until) => {
      const bot = opened();
      const id = bot.fill();
      bot.at(5).trades([]);
      unread(bot, 15);
      // Another list says nothing of this one.
      bot.at(20).orders([]);
      unread(bot, until - 1);
      bot.at(until).trades([tradeOf(id)]);
      expect(bot.state(id)).toBe("confirmed");
      expect(published(bot)).toEqual([5_000, 5_000]);
      expect(bot.executor.terms.windowMs).toBe(120_000);
    },
  );

  test("and of which no answer came before the list failed says nothing, but counts as acknowledged", () => {
    const bot = opened();
    const askedAt = bot.now.mono;
    const id = bot.at(10).fill();
    // Asked for before the order was answered, it could not show it.
    bot.at(12).answer({ witness: "trades", rows: [], askedAt, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce });
    unread(bot, 13);
    bot.at(3_600).trades([tradeOf(id)]);
    expect(published(bot)).toEqual([0, 0]);
    // The next one is read as usual.
    const next = bot.fill();
    bot.at(3_610).trades([tradeOf(id), tradeOf(next)]);
    expect(published(bot)).toEqual([10_000, 10_000]);
  });
});

test("an order that a history does not show which was read again is a stop of its own", () => {
  const bot = opened();
  const id = bot.fill();
  const question = { witness: "trades", askedAt: bot.now.mono, code: "venue-down" } as const;
  bot.at(800).take((out) => bot.executor.unanswered(question, bot.now, out));
  bot.at(1_000).take((out) => bot.executor.time(bot.now, out));
  expect(bot.controls).toEqual([]);
  bot.trades([]);
  bot.at(1_001).take((out) => bot.executor.time(bot.now, out));
  expect(bot.controls).toMatchObject([
    { cause: "doubt", reason: `${id} was answered as done, and history does not show it after 0:15:00` },
  ]);
});

function intentOf(bot: Keeping, id: string): Parameters<Keeping["executor"]["intend"]>[0] {
  return bot.executor.get(id)?.request as Parameters<Keeping["executor"]["intend"]>[0];
}

test("what more is found of a stop is said at once, and the same again only after some minutes", () => {
  const alarms = new Alarms();
  const said = (second: number, finding?: string): number => {
    const halt = { cause: "balances", subject: "difference of CHF", reason: "it differs", wayOut: "out" } as const;
    alarms.raise({ ...halt, finding }, mono(second * 1_000));
    return gathered((out) => alarms.sound(millis(second), out)).controls.length;
  };
  expect([said(0), said(1), said(2, "cost of M-1"), said(3, "cost of M-1"), said(4)]).toEqual([1, 0, 1, 0, 0]);
  expect([said(300), said(301, "cost of M-1"), said(302, "cost of M-1")]).toEqual([1, 0, 1]);
});

test("a fill that contradicts its answer halts once, and again after somebody resumed", () => {
  const bot = opened();
  const id = bot.fill();
  const other = tradeOf(id, { sold: Money.of("100.06", CHF) });
  bot.trades([other]).trades([other]);
  expect(bot.controls.length).toBe(1);
  expect(bot.controls[0]).toMatchObject({
    kind: "halt",
    cause: "contradiction",
    reason: expect.stringContaining("100.06 CHF"),
  });
  const control = { kind: "resume", reason: "looked at it", by: "anna" } as const;
  bot.hear({
    sequence: bot.entries.length + 1,
    hash: "",
    writer: "resume01",
    record: { kind: "control", at: bot.now.at, control },
  });
  bot.trades([other]);
  expect(bot.controls.length).toBe(2);
  expect(fillOf(id).sold).toEqual(Money.of("100.05", CHF));
});
