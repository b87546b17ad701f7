import { describe, expect, test } from "vitest";
import { InvariantViolation } from "../../src/domain/invariant.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type MoneyRequest, reservationOf } from "../../src/execution/request.ts";
import { resolutionRefusal } from "../../src/execution/request-state.ts";
import type { Conditions } from "./advance.ts";
import { ABSENT, ANSWERED_FILL, anOrder, CHF, FILL, failure, ID, Life, NONCE, VCHF } from "./life.ts";

const order = () => new Life(anOrder);
const fenced = () => order().doubt().answered();
/** Fenced at 0 s, absent three times, the last time at 120 s: the full rule. */
const released = () => fenced().look(0, ABSENT).look(5, ABSENT).look(120, ABSENT);

describe("sending", () => {
  test("a second SENDING record of one order is refused as a bug", () => {
    expect(() => order().send().send()).toThrow(`${ID} must be sent once, was sending`);
  });

  test("one that was taken for a dead sender's does not leave, and says why", () => {
    const dropped = order().outcome({ kind: "not-sent", code: "restart", reason: "it was not sent" });
    expect(() => dropped.send()).toThrow(
      `${ID} is on record as not sent: another process of the key took this one for dead`,
    );
  });

  test("an answer without a SENDING record, or one to another nonce, is refused as a bug; the same one twice changes nothing", () => {
    const filled = { kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) } as const;
    expect(() => order().outcome(filled)).toThrow("must be on record as sent before it is answered");
    expect(() =>
      order()
        .send()
        .outcome({ ...filled, nonce: 7 as Nonce }),
    ).toThrow("must be to nonce 1000, was to 7");
    const once = order().send().outcome(filled);
    const before = once.state;
    once.outcome(filled);
    expect([once.state, once.todo.filter((kind) => kind !== "ask")]).toEqual([before, []]);
  });

  test("an order that was dropped before its slot, or met no open connection, is not sent and frees its money", () => {
    const notSent = { kind: "not-sent", code: "connect", reason: "connection refused" } as const;
    for (const life of [order(), order().send()]) {
      life.outcome(notSent);
      expect(life.state).toEqual(notSent);
      expect(life.todo).toEqual(["free"]);
    }
  });
});

describe("a definite answer", () => {
  const rejected = (status: number) =>
    order()
      .send()
      .outcome({ kind: "rejected", failure: failure("refused", status), nonce: NONCE, receivedAt: millis(0) });
  const filled = () =>
    order()
      .send()
      .outcome({ kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) });

  test("a rejection frees the money; a forbidden one stops the bot as well", () => {
    expect(rejected(200).todo).toEqual(["free"]);
    expect(rejected(400).todo).toEqual(["free"]);
    expect(rejected(403).todo).toEqual(["free", "halt"]);
    expect(rejected(403).state.kind).toBe("rejected");
  });

  test("a fill is booked at once, confirmed by history without a second booking, and settled by the balances", () => {
    const life = filled();
    expect(life.effects).toEqual([
      { kind: "book", receipt: ANSWERED_FILL },
      { kind: "ask", round: 1, witnesses: ["trades"] },
    ]);
    expect(life.at(0).effects).toEqual([]);
    expect(life.hear({ kind: "landed", receipt: FILL }).effects).toEqual([{ kind: "confirm", receipt: FILL }]);
    expect(life.hear({ kind: "landed", receipt: FILL }).effects).toEqual([]);
    expect(life.tell({ kind: "explained" }).state).toEqual({ kind: "settled", receipt: FILL });
  });

  test("a fill whose first question is scheduled for later is booked at once and asked about then", () => {
    const life = order();
    const { settings } = life.conditions;
    const looks = { ...settings.looks, order: { atMs: [5_000], afterwards: [] } };
    life.conditions = { ...life.conditions, settings: { ...settings, looks } };
    life.send().outcome({ kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) });
    expect(life.todo).toEqual(["book"]);
    expect(life.at(4).todo).toEqual([]);
    expect(life.at(5).effects).toEqual([{ kind: "ask", round: 1, witnesses: ["trades"] }]);
  });

  test("history that shows other amounts than the answer, or a second trade of a confirmed order, halts and shows both", () => {
    const other = { ...FILL, sold: Money.of("100.06", CHF) };
    const life = filled().hear({ kind: "landed", receipt: other });
    expect(life.effects).toMatchObject([
      {
        kind: "halt",
        cause: "contradiction",
        reason: expect.stringMatching(/known is .*100\.05 CHF.*; seen is .*100\.06 CHF/),
      },
    ]);
    expect(life.state.kind).toBe("accepted");
    const second = filled()
      .hear({ kind: "landed", receipt: FILL })
      .hear({ kind: "landed", receipt: { ...FILL, tradeId: "t8" } });
    expect(second.effects).toMatchObject([
      { kind: "halt", reason: expect.stringContaining("known is trade t7; seen is trade t8") },
    ]);
  });

  test("an answered fill that history does not show within 15 minutes halts once, and is still confirmed later", () => {
    const life = filled().look(0, ABSENT).look(600, ABSENT);
    expect(life.at(899).todo).not.toContain("halt");
    expect(life.at(900).todo).toEqual(["halt"]);
    expect(life.at(901).todo).not.toContain("halt");
    expect(life.hear({ kind: "landed", receipt: FILL }).state.kind).toBe("confirmed");
  });

  test("an answered fill that is found after a long pause halts only when history was asked, or could not be for 15 minutes", () => {
    const found = () => {
      const life = filled();
      life.seconds = 40_000;
      return life.tell({ kind: "recovered" });
    };
    expect(found().at(40_000).todo).toEqual(["ask"]);
    expect(found().at(40_000).at(40_001).todo).toEqual([]);
    expect(found().look(40_000, ABSENT).at(40_001).todo).toEqual(["halt"]);
    expect(found().at(40_899).todo).toEqual(["ask"]);
    expect(found().at(40_900).todo).toEqual(["halt"]);
  });
});

describe("doubt", () => {
  test("a time-out, a 401, a 5xx, a reset or an unreadable answer is doubt and frees nothing", () => {
    for (const code of ["timeout", "unauthorized", "venue-down", "reset", "bad-json"]) {
      const life = order().doubt(code);
      expect(life.state.kind).toBe("doubt");
      expect(life.todo).toEqual([]);
    }
  });

  test("an answer that contradicts itself is doubt and stops new orders, and the halt names the way out", () => {
    const life = order().doubt("contradiction", true);
    expect(life.state.kind).toBe("doubt");
    expect(life.effects).toEqual([
      {
        kind: "halt",
        cause: "contradiction",
        subject: `answer to ${ID}`,
        reason: `the answer to ${ID} contradicts itself: said contradiction`,
        wayOut: `wait until pegbot status shows ${ID} as in doubt no more (if it asks a person: pegbot resolve ${ID} --filled|--not-filled --reason "..."), then pegbot resume --reason "..."`,
      },
    ]);
  });

  test("until something answers, the trade history is asked again, one question at a time and ever more seldom", () => {
    const life = order().doubt();
    const asked: number[] = [];
    for (let seconds = 0; seconds < 20_000; seconds++) {
      life.at(seconds);
      if (!life.todo.includes("ask")) continue;
      expect(life.effects).toEqual([{ kind: "ask", round: asked.length + 1, witnesses: ["trades"] }]);
      asked.push(seconds);
      expect(life.at(seconds).todo).toEqual([]);
      life.tell({ kind: "unanswered", round: life.round, code: "timeout" });
    }
    expect(asked.slice(0, 13)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 61]);
    expect(asked.length).toBeLessThan(90);
    // At most 15 minutes apart, however long it takes.
    expect(Math.max(...asked.map((seconds, index) => seconds - (asked[index - 1] ?? 0)))).toBe(900);
  });

  test("a question that was lost is asked again after 90 seconds", () => {
    const life = order().doubt().at(0);
    expect(life.at(89).todo).toEqual([]);
    expect(life.at(90).effects).toMatchObject([{ kind: "ask", round: 2 }]);
  });

  test("a key that is refused while something is in doubt halts the bot", () => {
    const life = order().doubt("unauthorized").at(0).tell({ kind: "unanswered", round: 1, code: "unauthorized" });
    expect(life.effects).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
    expect(life.state.kind).toBe("doubt");
  });

  test("only an accepted request with a higher nonce is a fence", () => {
    expect(order().doubt().answered(NONCE).state.kind).toBe("doubt");
    expect(
      order()
        .doubt()
        .answered(999 as Nonce).state.kind,
    ).toBe("doubt");
    expect(fenced().state).toMatchObject({ kind: "fenced", fence: { nonce: 1_001 }, negatives: 0 });
  });

  test("absence before the fence counts for nothing", () => {
    const life = order().doubt().at(0);
    life.hear(ABSENT).answered();
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 0 });
  });

  test("the answer that raised the fence is no evidence itself: it may be older than the trade", () => {
    const life = order().doubt().at(0).answered().hear(ABSENT);
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 0 });
  });

  test("a trade that shows up is a fill at any time, booked once", () => {
    const landed = { kind: "landed", receipt: FILL } as const;
    for (const life of [order().doubt(), fenced(), fenced().look(0, ABSENT), order().doubt().at(900)]) {
      life.hear(landed);
      expect(life.state).toEqual({ kind: "confirmed", receipt: FILL });
      expect(life.effects).toEqual([{ kind: "book", receipt: FILL }]);
      expect(life.hear(landed).effects).toEqual([]);
    }
  });

  test("a rate-limited order is rejected after one round of witnesses and not before; one with a 401 is not", () => {
    const life = order().doubt("rate-limited");
    expect(life.look(0, ABSENT).state.kind).toBe("doubt");
    expect(life.answered().look(0, ABSENT).state.kind).toBe("rejected");
    expect(life.todo).toEqual(["free"]);
    expect(order().doubt("unauthorized").answered().look(0, ABSENT).state.kind).toBe("fenced");
  });

  test("a rate-limited order is asked about once more when the slowest publication seen so far has passed", () => {
    const life = order().doubt("rate-limited");
    life.terms = parametersOf(DEFAULT_SETTINGS, { slowestMs: 45_000, acknowledged: 3, equity: undefined });
    life.answered();
    for (const seconds of [0, 5, 15, 30]) expect(life.look(seconds, ABSENT).state.kind).toBe("fenced");
    expect(life.look(60, ABSENT).state.kind).toBe("rejected");
  });
});

describe("after the fence", () => {
  test("all three witnesses are asked at 0, 5, 15, 30, 60, 120, 300, 600 and 900 s, then every 15 minutes for a day", () => {
    const life = fenced();
    const asked: number[] = [];
    for (let seconds = 0; seconds <= 90_000; seconds++) {
      life.at(seconds);
      for (const effect of life.effects) {
        if (effect.kind !== "ask") continue;
        expect(effect.witnesses).toEqual(["trades", "orders", "balances"]);
        asked.push(seconds);
        life.hear({ kind: "silent", reason: "cut off" });
      }
    }
    // At 900 s the person comes first, and the question a second later.
    expect(asked.slice(0, 10)).toEqual([0, 5, 15, 30, 60, 120, 300, 600, 901, 1_801]);
    expect(asked.at(-1)).toBe(86_401);
  });

  test("three negatives of which the last was asked 120 s after the fence free the money and leave a tombstone", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).look(15, ABSENT).look(30, ABSENT).look(60, ABSENT);
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 5 });
    life.at(120);
    expect(life.todo).toEqual(["ask"]);
    life.seconds = 124;
    life.hear(ABSENT);
    expect(life.state).toMatchObject({ kind: "released", at: 124_000, by: "bot" });
    expect(life.todo).toEqual(["free"]);
  });

  test("what was asked before the window ended does not free, however late it is answered", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(119);
    life.seconds = 130;
    expect(life.hear(ABSENT).state).toMatchObject({ kind: "fenced", negatives: 3 });
  });

  test("two negatives are not enough", () => {
    expect(fenced().look(0, ABSENT).look(120, ABSENT).state).toMatchObject({ kind: "fenced", negatives: 2 });
  });

  test("the answer of an abandoned question is thrown away", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(15);
    const { round } = life;
    life.tell({ kind: "unanswered", round, code: "timeout" });
    expect(life.hear(ABSENT, round).state).toMatchObject({ negatives: 2 });
    life.at(120);
    expect(life.hear(ABSENT, round).state).toMatchObject({ kind: "fenced", negatives: 2 });
    expect(life.hear(ABSENT, round + 1).state.kind).toBe("released");
  });

  test("one answer counts once", () => {
    const life = fenced().look(0, ABSENT);
    expect(life.hear(ABSENT).hear(ABSENT).state).toMatchObject({ negatives: 1 });
  });

  test("an answer that proves nothing counts for nothing", () => {
    const silent = { kind: "silent", reason: "cut off" } as const;
    expect(fenced().look(0, ABSENT).look(5, silent).look(15, ABSENT).look(120, silent).state).toMatchObject({
      negatives: 2,
    });
  });

  test("witnesses that disagree start the count anew while publication may be late, and halt afterwards", () => {
    const split = {
      kind: "split",
      shows: "untraded",
      reason: "orders show it as Filled",
      cause: "contradiction",
    } as const;
    const life = fenced().look(0, ABSENT).look(5, split);
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 0 });
    expect(life.todo).toEqual([]);
    life.look(120, split);
    expect(life.state).toMatchObject({ kind: "escalated", reason: "orders show it as Filled" });
    expect(life.effects).toMatchObject([{ kind: "escalate" }, { kind: "halt", cause: "contradiction" }]);
  });

  test("a contradiction halts and asks a person at once, fenced or not", () => {
    for (const life of [order().doubt(), fenced()]) {
      life.hear({ kind: "contradiction", shows: "rejected", reason: "trades show 5, orders show 6", cause: "foreign" });
      expect(life.state.kind).toBe("escalated");
      expect(life.todo).toEqual(["escalate", "halt"]);
      expect(life.effects.at(-1)).toMatchObject({
        reason: `${ID}: trades show 5, orders show 6`,
        wayOut: expect.stringMatching(
          /^was it you\? If not, revoke the key in the venue's portal first; then pegbot resolve /,
        ),
      });
    }
  });

  test("above the cap, of unknown worth, in another currency than the cap, or before enough was measured, a person is asked instead", () => {
    const lives = [fenced(), fenced(), fenced(), fenced()] as const;
    lives[0].terms = { ...lives[0].terms, releaseMax: Money.of("100.09", CHF) };
    lives[1].submission = { ...lives[1].submission, value: undefined };
    lives[2].terms = { ...lives[2].terms, releaseMax: undefined };
    lives[3].terms = { ...lives[3].terms, releaseMax: Money.of("200", VCHF) };
    for (const life of lives) {
      life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT);
      expect(life.state.kind).toBe("escalated");
      expect(life.todo).toEqual(["escalate"]);
    }
  });

  test("a person is told how the orders list what the other witnesses do not show", () => {
    const caps = [undefined, Money.of("100.09", CHF), Money.of("200", VCHF)];
    for (const releaseMax of caps) {
      const [listed, unknown] = [fenced(), fenced()];
      for (const life of [listed, unknown]) life.terms = { ...life.terms, releaseMax };
      const rejected = { kind: "absent", listedAs: "Rejected" } as const;
      listed.look(0, ABSENT).look(5, ABSENT).look(120, rejected);
      expect(listed.state).toMatchObject({
        kind: "escalated",
        reason: expect.stringContaining(`list ${ID} as Rejected`),
      });
      unknown.look(0, rejected).look(5, rejected).look(120, ABSENT);
      expect(unknown.state).toMatchObject({
        kind: "escalated",
        reason: expect.stringContaining(`no witness knows ${ID}`),
      });
    }
  });

  test("while equity is unknown a doubt is neither freed nor handed to a person; the next look decides", () => {
    const life = fenced();
    const { terms } = life;
    life.terms = { ...terms, releaseMax: undefined, awaitsEquity: true };
    expect(life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT).state.kind).toBe("fenced");
    life.terms = terms;
    expect(life.look(300, ABSENT).state.kind).toBe("released");
  });

  test("worth exactly the cap is freed", () => {
    const life = fenced();
    life.terms = { ...life.terms, releaseMax: Money.of("100.10", CHF) };
    expect(life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT).state.kind).toBe("released");
  });

  test("after 15 minutes a person is asked, also without a fence and also when the wall clock was set back", () => {
    const late = (life: Life<"order">) => {
      expect(life.at(899).state.kind).not.toBe("escalated");
      const reason = expect.stringContaining("is unknown for 0:15:00 or more: ");
      expect(life.at(900).state).toMatchObject({ kind: "escalated", reason });
      expect(life.todo).toEqual(["escalate"]);
    };
    late(order().doubt());
    late(fenced());
    const setBack = fenced();
    setBack.wallStep = -3_600;
    late(setBack);
  });
});

describe("a person", () => {
  const by = { by: "anna", reason: "ticket 4711: the venue has no such order" };
  const notLanded = { kind: "resolved", resolution: { kind: "not-landed", ...by } } as const;
  const landed = { kind: "resolved", resolution: { kind: "landed", receipt: FILL, ...by } } as const;

  test("closes an escalated order either way", () => {
    const one = fenced().at(900).tell(notLanded);
    expect(one.state).toEqual({ kind: "released", at: millis(900_000), ...by });
    expect(one.todo).toEqual(["free"]);
    const other = fenced().at(900).tell(landed);
    expect(other.state).toEqual({ kind: "confirmed", receipt: FILL });
    expect(other.effects).toEqual([{ kind: "book", receipt: FILL }]);
  });

  test("cannot give up an order that may still arrive", () => {
    const life = order().doubt().at(900);
    expect(resolutionRefusal(life.submission, "not-landed")).toMatch("may still arrive at the venue");
    expect(resolutionRefusal(life.submission, "landed")).toBeUndefined();
    expect(() => life.tell(notLanded)).toThrow("may still arrive at the venue");
    expect(life.answered().tell(notLanded).state.kind).toBe("released");
  });

  test("cannot close what evidence still works on, or what has ended", () => {
    for (const life of [order(), order().send(), order().doubt(), fenced(), released()])
      expect(() => life.tell(landed)).toThrow(`must be escalated to be closed by a person, was ${life.state.kind}`);
  });

  test("is never outvoted by absence, but by a trade that shows up", () => {
    const life = fenced().at(900).look(901, ABSENT).look(1_801, ABSENT).look(2_701, ABSENT);
    expect(life.state.kind).toBe("escalated");
    expect(life.hear({ kind: "landed", receipt: FILL }).state.kind).toBe("confirmed");
  });
});

describe("a restart", () => {
  const restart = { kind: "recovered" } as const;

  test("finds an order that was intended and never recorded as sent: it is not sent, and freed", () => {
    const life = order().tell(restart);
    expect(life.state.kind).toBe("not-sent");
    expect(life.todo).toEqual(["free"]);
  });

  test("finds an order that was being sent: it is in doubt and frees nothing", () => {
    const life = order().send().tell(restart);
    expect(life.state).toMatchObject({ kind: "doubt", doubt: { nonce: 1_000, code: "crash", light: false } });
    expect(life.todo).toEqual([]);
  });

  test("keeps the fence and starts window and count anew, because the old clock is gone", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(120);
    life.seconds = 3;
    life.wallStep = 140;
    life.tell(restart);
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 0, fence: { nonce: 1_001, at: 3_000 } });
    life.look(3, ABSENT).look(8, ABSENT).look(18, ABSENT);
    expect(life.state).toMatchObject({ kind: "fenced", negatives: 3 });
    expect(life.look(123, ABSENT).state.kind).toBe("released");
  });

  test("does not make a doubt younger", () => {
    const life = order().doubt();
    life.wallStep = 890;
    life.tell(restart);
    expect(life.at(9).state.kind).toBe("doubt");
    expect(life.at(10).state.kind).toBe("escalated");
  });

  test("does not hear the answers of the process before, and counts its own questions on from there", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(120);
    const { round } = life;
    expect(life.tell(restart).hear(ABSENT, round).state).toMatchObject({ kind: "fenced", negatives: 0 });
    expect(life.at(120).effects).toMatchObject([{ kind: "ask", round: round + 1 }]);
    expect(life.hear(ABSENT, round).state).toMatchObject({ negatives: 0 });
    expect(life.hear(ABSENT, round + 1).state).toMatchObject({ negatives: 1 });
  });

  test("leaves what has ended as it is, and goes on confirming a fill", () => {
    expect(released().tell(restart).state.kind).toBe("released");
    const life = order()
      .send()
      .outcome({ kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) });
    expect(life.tell(restart).effects).toEqual([]);
    expect(life.at(0).todo).toEqual(["ask"]);
    const escalated = fenced().at(900).tell(restart);
    expect(escalated.state.kind).toBe("escalated");
    expect(resolutionRefusal(escalated.submission, "not-landed")).toBeUndefined();
  });
});

test("what has ended, or is booked, never may happen again, whatever is heard of it", () => {
  const accepted = { kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) } as const;
  const rejected = { kind: "rejected", failure: failure("no"), nonce: NONCE, receivedAt: millis(0) } as const;
  const unsent = { kind: "not-sent", code: "connect", reason: "refused" } as const;
  const doubt = { kind: "doubt", failure: failure("timeout"), nonce: NONCE, halt: false } as const;
  const odd = { reason: "odd", shows: "trade", cause: "contradiction" } as const;
  const landed = { kind: "landed", receipt: FILL } as const;
  const facts = [
    { kind: "recovered" },
    { kind: "sending", record: { nonce: NONCE, digest: "d1", host: "venue" } },
    ...[accepted, rejected, unsent, doubt].map((outcome) => ({ kind: "outcome", outcome }) as const),
    { kind: "answered", nonce: (NONCE + 9) as Nonce },
    ...[
      landed,
      ABSENT,
      { kind: "silent", reason: "cut" },
      { kind: "split", ...odd },
      { kind: "contradiction", ...odd },
    ].map((finding) => ({ kind: "looked", round: 1, finding }) as const),
    { kind: "unanswered", round: 1, code: "timeout" },
    ...(["landed", "not-landed"] as const).map((kind) => ({
      kind: "resolved",
      resolution: { kind, receipt: FILL, by: "ann", reason: "looked" },
    })),
    { kind: "explained" },
    { kind: "time" },
  ] as readonly Parameters<Life<"order">["tell"]>[0][];
  const ends = () => [
    released(),
    ...[accepted, rejected, unsent].map((outcome) => order().send().outcome(outcome)),
    fenced().hear(landed),
    released().hear(landed),
    fenced().hear(landed).tell({ kind: "explained" }),
  ];
  expect(ends().map(({ state }) => state.kind)).toEqual([
    "released",
    "accepted",
    "rejected",
    "not-sent",
    "confirmed",
    "late",
    "settled",
  ]);
  for (const [index] of ends().entries())
    for (const fact of facts) {
      const life = ends()[index] as Life<"order">;
      life.seconds = 2_000;
      try {
        life.tell(fact);
      } catch (error) {
        // Refused as a bug: it stays what it was.
        if (!(error instanceof InvariantViolation)) throw error;
      }
      expect(reservationOf(life.state), `${life.state.kind} after ${fact.kind}`).not.toBe("both-ways");
    }
});

describe("a tombstone", () => {
  test("rises when its trade shows up after all: booked once, and the bot halts", () => {
    const rejected = () =>
      order()
        .send()
        .outcome({ kind: "rejected", failure: failure("no"), nonce: NONCE, receivedAt: millis(0) });
    const notSent = () => order().send().outcome({ kind: "not-sent", code: "connect", reason: "refused" });
    for (const life of [released(), rejected(), notSent()]) {
      life.hear({ kind: "landed", receipt: FILL });
      expect(life.state).toEqual({ kind: "late", receipt: FILL });
      expect(life.todo).toEqual(["book", "halt"]);
      expect(life.hear({ kind: "landed", receipt: FILL }).todo).toEqual([]);
      expect(life.tell({ kind: "explained" }).state.kind).toBe("settled");
    }
  });

  test("asks no more questions", () => {
    expect(released().at(10_000).todo).toEqual([]);
  });
});

describe("what the venue shows of an order that is not known to be sent", () => {
  const landed = { kind: "landed", receipt: FILL } as const;

  test("halts when it was never sent, and waits for the answer while it is being sent", () => {
    expect(order().hear(landed).todo).toEqual(["halt"]);
    const life = order().send().hear(landed);
    expect(life.state.kind).toBe("sending");
    expect(life.todo).toEqual([]);
  });
});
