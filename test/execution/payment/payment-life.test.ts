// Payments on rails beside what else happens to the books: each is booked once, under whatever it is listed, and an adoption
// does not take it over a second time.

import { describe, expect, test } from "vitest";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import type { RailIntent } from "../../../src/domain/rail.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Payment } from "../../../src/exchange/port.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import type { Entry } from "../../../src/journal/record.ts";
import { Keeping, opened, tradeOf } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";
import {
  accepted,
  asked,
  booksMovements,
  compared,
  halts,
  hearSaid,
  LISTED,
  minted,
  RAIL,
  takenOver,
} from "../moving.ts";

describe("a payment on a rail", () => {
  function paid(): Keeping {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH93" };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    listed(bot, "pending");
    return bot;
  }
  function book(bot: Keeping): void {
    for (const event of bot.said)
      if (event.kind === "movement") expect(bot.accounts.move(event.id, event.report, bot.now.at)).toBeUndefined();
    hearSaid(bot);
  }
  const FIRST: Payment = {
    railId: "a",
    paymentId: "p1",
    status: "pending",
    amount: Money.of("10000", VCHF),
    at: undefined,
  };
  function listed(bot: Keeping, status?: string): void {
    bot.answer({ witness: "payments", rows: status === undefined ? [] : [{ ...FIRST, status }], ...asked(bot) });
    book(bot);
  }
  /** As an earlier version wrote it: a departure names no rail. */
  function asOlder(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => {
      const { record } = entry;
      if (record.kind !== "step" || record.step.event.kind !== "movement") return entry;
      const { event } = record.step;
      const report = event.report.kind === "departed" ? { ...event.report, railId: undefined } : event.report;
      return { ...entry, record: { ...record, step: { ...record.step, event: { ...event, report } } } };
    });
  }
  const shown = (bot: Keeping, coins: string) => [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", coins)];
  const command = 'pegbot resolve payment:p1 --not-landed --reason "..."';

  test("that comes back is named by the stop, is not taken over beside it, and closed by a person it is owned once; also for the next process", () => {
    const bot = paid();
    listed(bot, "returned");
    halts(bot, shown(bot, "20000"));
    expect(bot.controls).toMatchObject([
      {
        reason: expect.stringContaining(
          `10000 VCHF is just what payment:p1 had taken: if the venue gave it back, ${command}`,
        ),
        wayOut: `${command}, then pegbot resume --reason "..."`,
      },
    ]);
    expect(takenOver(bot, shown(bot, "20000"))).toContain(command);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(next.executor.movements.payment("payment:p1")).toMatchObject({ id: "payment:p1" });
    bot.take((out) =>
      bot.executor.movements.closePayment("payment:p1", { kind: "back" }, "support says so", bot.now, out),
    );
    book(bot);
    expect([bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["20000", "0"]);
    expect(takenOver(bot, shown(bot, "20000"))).toBe("");
    // Whatever the list says of it later, it is not booked again; what it moves is named.
    listed(bot, "settled");
    expect([bot.said, bot.executor.movements.payment("payment:p1")]).toEqual([[], undefined]);
    expect(bot.executor.balances.likeness([Money.of("-10000", VCHF)])).toMatchObject({
      text: "; -10000 VCHF is just what payment:p1 was to take, which counts as given back",
      own: [],
    });
    expect(takenOver(bot, shown(bot, "10000"))).toBe("-10000 VCHF");
  });

  test("that has just left is not taken over, nor is anybody led to closing it, while the balances may not show it", () => {
    const bot = paid();
    bot.seconds += 119;
    const early = takenOver(bot, shown(bot, "20000"));
    expect(early).toMatch(
      /^10000 VCHF is just what payment:p1 had taken, and the balances have until 1970-01-01T00:02:00Z to show/,
    );
    expect(early).not.toContain("--not-landed");
    bot.seconds += 1;
    expect(takenOver(bot, shown(bot, "20000"))).toContain(command);
  });

  test("is not taken over by balances from before it left, which lack what has filled since", () => {
    const bot = paid();
    bot.seconds += 10;
    bot.fill();
    bot.seconds += 130;
    expect(takenOver(bot, shown(bot, "20000"))).toMatch(
      /^9900 VCHF, 100.05 CHF is just what the books have of payment:p1 and of the last order, and the balances may be from before payment:p1 left/,
    );
  });

  /** An order of unknown outcome that no history knows, with balances of so many coins, until publication must be over. */
  function doubtedBeside(bot: Keeping, coins: (seconds: number) => string): string {
    const id = bot.doubt();
    bot.trades([]);
    for (const seconds of [0, 5, 15, 60, 130]) {
      bot.at(seconds).trades([]).orders([]);
      bot.answer({ witness: "balances", rows: shown(bot, coins(seconds)), ...asked(bot) });
    }
    return id;
  }

  test("that has left without anybody having read of it contradicts no order in doubt: the list is asked first, and then it is free", () => {
    const bot = paid();
    const id = doubtedBeside(bot, (seconds) => (seconds < 130 ? "10000" : "9500"));
    expect([bot.state(id), bot.controls]).toEqual(["fenced", []]);
    expect(bot.asks.some(({ witness }) => witness === "payments")).toBe(true);
    const second = { ...FIRST, paymentId: "p2", amount: Money.of("500", VCHF) };
    bot.answer({ witness: "payments", rows: [FIRST, second], ...asked(bot) });
    book(bot);
    bot.at(300).trades([]).orders([]);
    bot.answer({ witness: "balances", rows: shown(bot, "9500"), ...asked(bot) });
    expect([bot.state(id), bot.controls]).toEqual(["presumed-dead", []]);
  });

  test("after another that nobody had read of either has the list asked once more", () => {
    const bot = paid();
    const id = doubtedBeside(bot, (seconds) => (seconds < 130 ? "10000" : "9500"));
    bot.answer({ witness: "payments", rows: [FIRST], ...asked(bot) });
    bot.at(300).trades([]).orders([]);
    bot.answer({ witness: "balances", rows: shown(bot, "9300"), ...asked(bot) });
    expect(bot.state(id)).toBe("fenced");
  });

  test("is none of that where the list was read since and does not have it: then it is a contradiction", () => {
    const bot = paid();
    const id = doubtedBeside(bot, (seconds) => (seconds < 130 ? "10000" : "9500"));
    bot.answer({ witness: "payments", rows: [FIRST], ...asked(bot) });
    bot.at(300).trades([]).orders([]);
    bot.answer({ witness: "balances", rows: shown(bot, "9500"), ...asked(bot) });
    const reason = `${id}: balances differ from the ledger by -500 VCHF, which no open request explains`;
    expect([bot.state(id), bot.controls]).toEqual([
      "escalated",
      expect.arrayContaining([expect.objectContaining({ reason })]),
    ]);
  });

  test("that the balances have shown is nothing that they may be late with, however many there were and however they ended", () => {
    const bot = paid();
    bot.seconds = 200;
    bot.answer({ witness: "balances", rows: shown(bot, "10000"), ...asked(bot) });
    const more = Array.from({ length: 8 }, (_, i): Payment => {
      return { ...FIRST, paymentId: `q${i}`, status: "settled", amount: Money.of(`1${i}`, VCHF) };
    });
    bot.answer({ witness: "payments", rows: [FIRST, ...more], ...asked(bot) });
    book(bot);
    bot.seconds += 1;
    bot.answer({ witness: "balances", rows: shown(bot, "9892"), ...asked(bot) });
    bot.fill();
    bot.fill();
    for (const second of [202, 203, 204]) {
      bot.at(second).trades([]);
      bot.answer({ witness: "balances", rows: shown(bot, "9892"), ...asked(bot) });
    }
    expect([bot.executor.freeze(bot.now).kind, bot.controls]).toEqual(["none", []]);
  });

  test("whose list could not be read once is booked when it is, and halts nothing before", () => {
    const bot = paid();
    bot.seconds = 500;
    const see = (coins: string) => bot.answer({ witness: "balances", rows: shown(bot, coins), ...asked(bot) });
    const isAsked = () => bot.asks.some(({ witness }) => witness === "payments");
    see("10000");
    expect([see("8766").controls, isAsked()]).toEqual([[], true]);
    const failed = { ...asked(bot), witness: "payments", asset: undefined, code: "unavailable" } as const;
    bot.take((out) => bot.executor.unanswered(failed, bot.now, out));
    bot.seconds += 1;
    bot.trades([]);
    bot.seconds += 1;
    expect([see("8766").controls, isAsked()]).toEqual([[], true]);
    bot.seconds += 1;
    const second = { ...FIRST, paymentId: "p2", amount: Money.of("1234", VCHF) };
    bot.answer({ witness: "payments", rows: [FIRST, second], ...asked(bot) });
    book(bot);
    bot.seconds += 1;
    expect([see("8766").controls, bot.executor.freeze(bot.now)]).toEqual([[], { kind: "none" }]);
  });

  test("that is listed with other coins than it was booked with is booked as it is listed, each coin once, freezes rails, and halts nothing where the balances agree; also for the next process", () => {
    const bot = paid();
    const correct = (one: Keeping, amount: string, status = "pending"): readonly string[] => {
      one.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of(amount, VCHF), status }], ...asked(one) });
      const told = one.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
      book(one);
      return told;
    };
    const owned = (): readonly string[] => [bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String);
    const odd = "it is listed with 9000 VCHF, and booked with 10000 VCHF";
    expect([correct(bot, "9000"), bot.said]).toMatchObject([["corrected"], [{ report: { reason: odd } }]]);
    // 20,000 less the 9,000 that are on their way.
    expect([owned(), correct(bot, "9000")]).toEqual([["11000", "9000"], []]);
    expect(bot.executor.movements.railsFrozen).toBe(
      `payment p1 on rail L-1 is not as it was: ${odd}; look at the venue's portal: it is booked as it is listed now`,
    );
    bot.seconds = 500;
    bot.answer({ witness: "balances", rows: shown(bot, "11000"), ...asked(bot) });
    expect([bot.controls, bot.executor.freeze(bot.now)]).toEqual([[], { kind: "none" }]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(next.executor.movements.payment("payment:p1")).toMatchObject({ since: 0 });
    next.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of("9000", VCHF) }], ...asked(next) });
    expect(next.said).toEqual([]);
    // Nothing is told of a word that nobody knows, and one that is refused gives back what is booked of it.
    expect([correct(bot, "8000", "odd"), owned()]).toEqual([["told"], ["11000", "9000"]]);
    expect([correct(bot, "8000"), owned()]).toEqual([
      ["corrected", "told"],
      ["12000", "8000"],
    ]);
    expect([correct(bot, "0"), owned()]).toEqual([["told"], ["12000", "8000"]]);
    expect([correct(bot, "8500", "settled"), owned()]).toEqual([
      ["corrected", "told", "arrived"],
      ["11500", "0"],
    ]);
    expect(bot.executor.balances.likeness([Money.of("8500", VCHF)]).text).toBe("");
    // Where the balances do not agree, whoever is called reads why the books are so.
    expect(bot.executor.balances.likeness([Money.of("500", VCHF)]).text).toBe(
      "; 500 VCHF is just what payment:p1 was corrected by: it is listed with 8500 VCHF, and booked with 8000 VCHF",
    );
    expect([correct(bot, "8000", "settled"), owned()]).toEqual([["told"], ["11500", "0"]]);
    const given = paid();
    correct(given, "9000");
    expect([correct(given, "8000", "rejected"), String(given.accounts.held(VCHF))]).toEqual([
      ["told", "returned"],
      "20000",
    ]);
  });

  test("whose other amount a person took over before it was listed is not booked by it a second time; also by the next process", () => {
    const bot = paid();
    bot.seconds = 1_000;
    const amounts = [Money.of("1000", VCHF), Money.of("7", CHF)];
    const history = { until: undefined, ids: [] };
    bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      const seen = (amount: string, status = "pending"): readonly string[] => {
        const row = { ...FIRST, amount: Money.of(amount, VCHF), status };
        one.answer({ witness: "payments", rows: [row], ...asked(one) });
        return one.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
      };
      one.seconds = 1_100;
      expect([seen("9000"), seen("9000"), seen("9000", "settled")]).toEqual([["told"], [], ["told", "arrived"]]);
    }
    const other = paid();
    other.seconds = 1_000;
    other.adopt({ kind: "adoption", at: other.now.at, amounts, history, reason: "looked", by: "ann" });
    // What else was taken over is not of it.
    other.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of("8000", VCHF) }], ...asked(other) });
    expect(other.said).toMatchObject([{ report: { kind: "corrected" } }]);
  });

  test("that is booked and then listed with other fiat freezes rails, once, is named by the stop and by adopt, and is well when it is corrected; also for the next process", () => {
    const bot = paid();
    const correct = (one: Keeping, amount: string, status = "pending"): readonly string[] => {
      const row = { ...FIRST, amount: Money.of(amount, CHF), status };
      one.answer({ witness: "payments", rows: [row], ...asked(one) });
      const told = one.said.map((event) =>
        event.kind === "movement" && "reason" in event.report ? event.report.reason : "",
      );
      book(one);
      return told.map((reason) => reason ?? "as booked");
    };
    const odd = "it is listed with 9000 CHF, and booked with 10000 CHF";
    expect([correct(bot, "9000"), correct(bot, "9000")]).toEqual([[odd], []]);
    expect(bot.executor.movements.railsFrozen).toBe(
      `payment p1 on rail L-1 is not as it was: ${odd}; look at the venue's portal: what the balances then differ by is taken over by pegbot adopt`,
    );
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(correct(next, "9000"), "on record").toEqual([]);
    halts(bot, shown(bot, "11000"));
    const like = `1000 VCHF is just what payment:p1 is off by: ${odd}`;
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(`; ${like}`) }]);
    expect([bot, next].map((one) => one.executor.balances.likeness([Money.of("1000", VCHF)]).text)).toEqual([
      `; ${like}`,
      `; ${like}`,
    ]);
    expect(compared(bot, shown(bot, "11000")).likeness).toBe(`; ${like}`);
    expect(takenOver(bot, shown(bot, "11000"))).toBe("1000 VCHF");
    expect(correct(bot, "9000", "settled")).toEqual([odd, ""]);
    expect([correct(bot, "10000", "settled"), correct(bot, "10000", "settled")]).toEqual([["as booked"], []]);
    expect(bot.executor.balances.likeness([Money.of("1000", VCHF)]).text).toBe("");
    expect([bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["10000", "0"]);
  });

  test("that had arrived and is listed as rejected since is told once, named by the stop and by adopt, and says how it ended", () => {
    const bot = paid();
    bot.seconds = 60;
    listed(bot, "settled");
    expect(bot.notes).toEqual([]);
    bot.seconds = 600;
    const like = 'what payment:p1 had taken, which had arrived outside and is listed as "rejected" since';
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      listed(one, "rejected");
      expect(one.notes).toEqual([`10000 VCHF are ${like}; what the balances differ by is taken over by pegbot adopt`]);
      listed(one, "rejected");
      expect(one.notes).toEqual([]);
      expect(one.executor.balances.likeness([Money.of("10000", VCHF)])).toMatchObject({
        text: `; 10000 VCHF is just ${like}`,
        own: [],
      });
      expect(one.executor.movements.paymentEnded("payment:p1")).toBe("it arrived outside at 1970-01-01T00:01:00Z");
    }
    expect(takenOver(bot, shown(bot, "20000"))).toBe("10000 VCHF");
    // What is over and back is no money that moves: it is judged at the second look, as any other.
    for (const witness of ["balances", "trades", "payments", "balances"] as const) {
      bot.seconds += 1;
      const rows = { balances: shown(bot, "20000"), trades: [], payments: [{ ...FIRST, status: "rejected" }] };
      bot.answer({ witness, rows: rows[witness], ...asked(bot) } as Answer);
    }
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(like) }]);
    listed(bot, "settled");
    expect(bot.executor.balances.likeness([Money.of("10000", VCHF)]).text).toBe("");
  });

  test("without an id, or under the id of one on another rail, is not booked, told once and named", () => {
    const bot = paid();
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const list = (...rows: readonly Partial<Payment>[]): readonly string[] => {
      bot.answer({ witness: "payments", rows: rows.map((row) => ({ ...FIRST, ...row })), ...asked(bot) });
      book(bot);
      return bot.notes;
    };
    const amount = Money.of("4000", VCHF);
    const second = { railId: "b", amount, status: "settled" };
    const bare = { paymentId: undefined, amount: Money.of("2222", VCHF) };
    // Whichever is listed first, the one that is booked stays itself.
    const [twice, nameless] = [
      "what payment:p1 on rail L-2 would bring, which is listed under the id of a payment on another rail and cannot be booked",
      "what a payment on rail L-1 would take, which is listed without an id and cannot be booked",
    ];
    const end = "; what the balances differ by is taken over by pegbot adopt";
    expect(list(second, {}, bare)).toEqual([`4000 VCHF are ${twice}${end}`, `-2222 VCHF are ${nameless}${end}`]);
    expect(list({}, bare, second)).toEqual([]);
    expect([bot.said, bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["", "10000", "10000"]);
    const like = (text: string) => bot.executor.balances.likeness([Money.of(text, VCHF)]).text;
    expect([like("4000"), like("-2222")]).toEqual([`; 4000 VCHF is just ${twice}`, `; -2222 VCHF is just ${nameless}`]);
    // For whoever takes over, as long as they are listed.
    expect(bot.executor.movements.odd()).toEqual([`-2222 VCHF are ${nameless}`, `4000 VCHF are ${twice}`]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.answer({ witness: "payments", rows: [{ ...FIRST, ...second }, FIRST], ...asked(next) });
    expect([next.said, next.notes.length]).toEqual([[], 1]);
    expect([list({}), like("4000"), bot.executor.movements.odd()]).toEqual([[], "", []]);
  });

  test("keeps its own word beside another of its id on a rail the same way, whichever is listed first or alone; also for the next process", () => {
    const bot = paid();
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH94" };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const other = { ...FIRST, railId: "b", amount: Money.of("4000", VCHF), status: "settled" };
    const note = expect.stringMatching(/^-4000 VCHF are what payment:p1 on rail L-2 would take, .* cannot be booked/);
    for (const rows of [
      [FIRST, other],
      [other, FIRST],
    ]) {
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      for (const one of [bot, next]) {
        one.answer({ witness: "payments", rows, ...asked(one) });
        expect(one.said).toEqual([]);
      }
      expect(next.notes).toEqual([note]);
    }
    bot.answer({ witness: "payments", rows: [other], ...asked(bot) });
    expect(bot.said).toMatchObject([{ id: "payment:p1", report: { kind: "told", status: "no longer listed" } }]);
    expect(bot.executor.movements.payment("payment:p1")).toMatchObject({ spent: FIRST.amount });
  });

  test("is known by its rail to the next process, beside another of its id, its way and its amount", () => {
    const bot = paid();
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH94" };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const other = { ...FIRST, railId: "b", status: "settled" };
    for (const rows of [[FIRST, other], [other, FIRST], [other]]) {
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      next.answer({ witness: "payments", rows, ...asked(next) });
      const dropped = { id: "payment:p1", report: { kind: "told", status: "no longer listed" } };
      expect(next.said).toMatchObject(rows.length === 1 ? [dropped] : []);
      expect(next.notes).toEqual([expect.stringMatching(/payment:p1 on rail L-2 would take, .* cannot be booked/)]);
      expect(next.executor.movements.payment("payment:p1")).toMatchObject({ spent: FIRST.amount });
    }
  });

  test("that an earlier version booked, without its rail, is by amount and word the one that was listed last, in whatever order", () => {
    const bot = paid();
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH94" };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const other = { ...FIRST, railId: "b", status: "settled" };
    const much = { ...other, amount: Money.of("77", VCHF), status: "pending" };
    for (const rows of [
      [FIRST, other],
      [other, FIRST],
      [FIRST, much],
      [much, FIRST],
    ]) {
      const next = new Keeping({ writer: "bot00002", entries: asOlder(bot.entries) });
      next.answer({ witness: "payments", rows, ...asked(next) });
      expect(next.said).toEqual([]);
      expect(next.executor.movements.payment("payment:p1")).toMatchObject({ spent: FIRST.amount });
    }
  });

  test("that is listed late, and dated before an adoption that has room for it, is not booked again; also by the next process", () => {
    const bot = paid();
    bot.seconds = 1_000;
    const late = (paymentId: string, amount: string, more: object = {}): void => {
      const row = {
        railId: "a",
        paymentId,
        status: "pending",
        amount: Money.of(amount, VCHF),
        at: millis(990_000),
        ...more,
      };
      bot.answer({ witness: "payments", rows: [FIRST, row], ...asked(bot) });
      book(bot);
    };
    const held = (): string => [bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].join(" ");
    const history = { until: undefined, ids: [] };
    const amounts = [Money.of("-3500", VCHF), Money.of("7", CHF)];
    bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
    expect(held()).toBe("6500 10000");
    late("p2", "2000");
    expect(bot.said).toMatchObject([
      { id: "payment:p2", report: { kind: "released", reason: expect.stringContaining("1970-01-01T00:16:40Z") } },
    ]);
    late("p2", "2000", { status: "settled" });
    expect([held(), bot.said]).toEqual(["6500 10000", []]);
    expect(bot.executor.balances.likeness([Money.of("-2000", VCHF)]).text).toContain(
      "is just what payment:p2 was to take, which was taken over by an adoption",
    );
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      const seen = (paymentId: string, amount: string, at: number | undefined): string => {
        const row = { railId: "a", paymentId, status: "pending", amount: Money.of(amount, VCHF), at } as Payment;
        one.answer({ witness: "payments", rows: [row], ...asked(one) });
        const own = one.said.filter((event) => event.kind === "movement" && event.id.endsWith(paymentId));
        return own.map((event) => (event.kind === "movement" ? event.report.kind : "")).join();
      };
      one.seconds = 1_100;
      // There is no room for as much again, nor for what is younger or has no time.
      expect([seen("p2", "2000", 990_000), seen("p3", "1600", 990_000), seen("p4", "100", 1_000_001)]).toEqual([
        "",
        "departed,told",
        "departed,told",
      ]);
      expect([seen("p5", "100", undefined), seen("p6", "1500", 1_000_000)]).toEqual(["departed,told", "released"]);
    }
  });

  test("onto the account that is listed late and has settled was taken over with what differed, less its fee", () => {
    const bot = opened();
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    bot.seconds = 1_000;
    const history = { until: undefined, ids: [] };
    const adoption = { kind: "adoption", at: bot.now.at, amounts: [Money.of("4990", VCHF)], history } as const;
    bot.adopt({ ...adoption, reason: "looked", by: "ann" });
    const rows: Payment[] = [];
    const seen = (paymentId: string, status: string): readonly string[] => {
      const row = { railId: "a", paymentId, status, amount: Money.of("5000", VCHF), at: millis(500_000) };
      rows.push(row);
      bot.answer({ witness: "payments", rows, ...asked(bot) });
      return bot.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
    };
    // What is still on its way nobody can have taken over.
    expect([seen("p1", "pending"), seen("p2", "settled"), seen("p3", "settled")]).toEqual([
      ["departed", "told"],
      ["released"],
      ["departed", "told"],
    ]);
  });

  test("beside more than a dozen others: an order and a mint wait until fewer are on their way, and are then settled by the balances", () => {
    const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF)));
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    const amounts = Array.from({ length: 13 }, (_, index) => 2 ** index * 1_000);
    const rowsOf = (count: number): readonly Payment[] =>
      amounts.map((amount, index) => {
        const status = index < count ? "settled" : "pending";
        return { railId: "a", paymentId: `p${index}`, status, amount: Money.of(String(amount), VCHF), at: undefined };
      });
    bot.answer({ witness: "payments", rows: rowsOf(0), ...asked(bot) });
    const mint = minted(bot);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "settled" }], ...asked(bot) });
    const order = bot.fill();
    bot.trades([tradeOf(order)]);
    // 500,000 less 120,000.37 and 100.05; 120,000.37 and 100.
    const seen = (VCHF: string): readonly (string | undefined)[] => {
      for (const after of [5, 125, 5]) {
        bot.seconds += after;
        bot.balances({ CHF: "379899.58", VCHF });
      }
      return [bot.state(order), bot.state(mint), ...bot.controls.map(String)];
    };
    expect(seen("120100.37")).toEqual(["confirmed", "confirmed"]);
    bot.answer({ witness: "payments", rows: rowsOf(2), ...asked(bot) });
    // 1,000 and 2,000 have come.
    expect(seen("123100.37")).toEqual(["settled", "settled"]);
    expect(String(bot.accounts.settled(VCHF))).toBe("123100.37");
  });

  test("to a bank or onto the account, under a word that nobody knows, is in the adoption of just its amount and waited for no longer; also by the next process", () => {
    for (const [type, amount, others] of [
      ["StablecoinToFiat", "-400", []],
      ["FiatToStablecoin", "398", []],
      // Nobody knows what else is in it.
      ["StablecoinToFiat", "-401", ["waits"]],
      ["FiatToStablecoin", "401", ["waits"]],
    ] as const) {
      const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
      accepted(bot, { kind: "rail", rail: { ...RAIL, type, toAccount: true } }, "L-1", {
        railId: "a",
        status: "pending",
        reason: undefined,
      });
      bot.take((out) => bot.executor.movements.expect("L-1", Quantity.of("400"), bot.now, out));
      hearSaid(bot);
      const row = { ...FIRST, status: "processing", amount: Money.of("400", VCHF) };
      const list = (): void => {
        bot.seconds += 10;
        bot.answer({ witness: "payments", rows: [row], ...asked(bot) });
        hearSaid(bot);
      };
      const waits = (one: Keeping) => Array.from(one.executor.movements.expectations(), () => "waits");
      list();
      expect(waits(bot)).toEqual(["waits"]);
      bot.seconds += 10;
      const history = { until: undefined, ids: [] };
      const amounts = [Money.of(amount, VCHF)];
      bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
      hearSaid(bot);
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      expect([waits(bot), waits(next)], `${type} ${amount}`).toEqual([others, others]);
      // It is told once, and what a known word says of it later is in the adoption too.
      list();
      expect(bot.said).toEqual([]);
      if (others.length > 0) continue;
      row.status = "settled";
      list();
      expect(bot.said).toEqual([]);
    }
  });

  /** On a rail to a bank or to our own account, listed so. */
  function first(type: RailIntent["type"], status: string): Keeping {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
    accepted(bot, { kind: "rail", rail: { ...RAIL, type, toAccount: true } }, "L-1", {
      railId: "a",
      status: "pending",
      reason: undefined,
    });
    listed(bot, status);
    return bot;
  }

  test.each([
    ["to a bank", "StablecoinToFiat", "10000", "-10000", "is just what payment:p1 would take"],
    ["onto the account", "FiatToStablecoin", "30000", "10000", "is just what payment:p1 would bring"],
    [
      "onto the account, less its fee",
      "FiatToStablecoin",
      "29990",
      "9990",
      "is, less a fee, what payment:p1 would bring",
    ],
  ] as const)(
    "%s under a word that nobody knows is named by the stop for what it moved, and is not said to be listed late once that is taken over",
    (_, type, coins, moved, is) => {
      const bot = first(type, "processing");
      halts(bot, shown(bot, coins));
      expect(bot.controls).toMatchObject([
        {
          reason: expect.stringMatching(
            new RegExp(
              `explains; ${moved} VCHF ${is}, which the venue lists as "processing", a word that nobody knows$`,
            ),
          ),
          wayOut: 'pegbot adopt, then pegbot resume --reason "..."',
        },
      ]);
      expect(takenOver(bot, shown(bot, coins))).toBe(`${moved} VCHF`);
      const likeness = (amount: string) => bot.executor.balances.likeness([Money.of(amount, VCHF)]).text;
      const isOut = type === "StablecoinToFiat";
      const others = isOut ? ["-10000.01", "-9999.99", "10000"] : ["10000.01", "9899.99", "-10000"];
      expect(others.map(likeness)).toEqual(["", "", ""]);
      const history = { until: undefined, ids: [] };
      const amounts = [Money.of(moved, VCHF)];
      bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
      const [{ report } = expect.unreachable("it must be told")] = bot.said.flatMap((event) =>
        event.kind === "movement" ? [event] : [],
      );
      expect(report).toMatchObject({
        kind: "released",
        reason: expect.stringMatching(
          /^listed as "processing", a word that nobody knows: its -?[0-9]+ VCHF were taken over by the adoption of /,
        ),
      });
      expect(likeness(moved)).toContain("payment:p1 was to");
      expect(likeness(moved)).toContain("which was taken over by an adoption");
    },
  );

  test.each([
    [
      "to a bank, and comes back",
      "StablecoinToFiat",
      { kind: "through" },
      "10000",
      "; 10000 VCHF is just what payment:p1 had taken, which was closed as arrived outside",
    ],
    [
      "to a bank, and comes back less a fee",
      "StablecoinToFiat",
      { kind: "through" },
      "9950",
      "; 9950 VCHF is, less a fee, what payment:p1 had taken, which was closed as arrived outside",
    ],
    [
      "onto the account, and is taken back",
      "FiatToStablecoin",
      { kind: "here", fee: Money.of("20", VCHF) },
      "-9980",
      "; -9980 VCHF is just what payment:p1 had brought, which was closed as landed",
    ],
    [
      "onto the account as not coming, and comes less a fee",
      "FiatToStablecoin",
      { kind: "back" },
      "9950",
      "; 9950 VCHF is, less a fee, what payment:p1 was to bring, which counts as given back",
    ],
  ] as const)("%s after a person closed it is named", (_, type, end, moved, text) => {
    const bot = first(type, "pending");
    bot.take((out) => bot.executor.movements.closePayment("payment:p1", end, "ann says so", bot.now, out));
    book(bot);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next])
      expect(one.executor.balances.likeness([Money.of(moved, VCHF)])).toMatchObject({
        text,
        finding: "moved by payment:p1",
      });
    expect(bot.executor.balances.likeness([Money.of("9899", VCHF)]).text).toBe("");
  });

  test.each([
    ["under a word that nobody knows", "returned", "lists payment:p1 as returned"],
    ["without an entry", undefined, "does not list payment:p1 any more"],
  ])(
    "that comes back %s is asked of a person after a day, once, and no longer when the list knows it again",
    (_, status, says) => {
      const bot = paid();
      const asks = (hours: number, word: string | undefined) => {
        bot.seconds += hours * 3_600;
        listed(bot, word);
        return bot.said.filter((one) => one.kind === "movement" && one.report.kind === "escalated");
      };
      expect([asks(30, "pending"), asks(1, status), asks(23, status)]).toEqual([[], [], []]);
      expect(asks(1, status)).toMatchObject([
        {
          id: "payment:p1",
          report: { reason: expect.stringContaining(says), wayOut: expect.stringContaining(command) },
        },
      ]);
      expect([asks(48, status), asks(1, "pending"), asks(1, status), asks(20, status)]).toEqual([[], [], [], []]);
      expect(asks(5, status)).toHaveLength(1);
    },
  );

  test.each([
    ["under a word that nobody knows", "returned"],
    ["without an entry", undefined],
  ])("that goes on %s is asked of a person after a day, however often the bot is started meanwhile", (_, status) => {
    let bot = paid();
    const asks = (hours: number): number => {
      const next = new Keeping({ writer: `bot${bot.seconds}`, entries: bot.entries });
      next.seconds = bot.seconds + hours * 3_600;
      bot = next;
      listed(bot, status);
      return bot.said.filter((one) => one.kind === "movement" && one.report.kind === "escalated").length;
    };
    expect([asks(1), asks(12), asks(11), asks(1), asks(1), asks(48)]).toEqual([0, 0, 0, 1, 0, 0]);
  });
});
