import { describe, expect, test } from "vitest";
import { InvariantViolation } from "../../src/domain/invariant.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { reservationOf } from "../../src/execution/request.ts";
import { resolutionRefusal } from "../../src/execution/request-state.ts";
import type { Conditions } from "./advance.ts";
import { ABSENT, ANSWERED_FILL, anOrder, CHF, FILL, failure, ID, Life, NONCE, VCHF } from "./life.ts";

const order = () => new Life(anOrder);
const fenced = () => order().doubt().answered();
/** Fenced at 0 s, absent three times, the last time at 120 s: the full rule. */
const released = () => fenced().look(0, ABSENT).look(5, ABSENT).look(120, ABSENT);

type Order = Life<"order">;

const measuring = ({ conditions }: Order, change: Partial<Conditions["measured"]>): Conditions => ({
  ...conditions,
  measured: { ...conditions.measured, ...change },
});

describe("sending", () => {
  test("a second SENDING record of one order is refused as a bug", () => {
    expect(() => order().send().send()).toThrow(`${ID} must be sent once, was sending`);
  });

  test("one that is on record as not sent does not leave", () => {
    const dropped = order().outcome({ kind: "not-sent", code: "restart", reason: "it was not sent" });
    expect(() => dropped.send()).toThrow(`${ID} must be sent once, was not-sent`);
  });

  test("an answer without a SENDING record, a second one, or one to another nonce is refused as a bug", () => {
    const filled = { kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) } as const;
    expect(() => order().outcome(filled)).toThrow("must be on record as sent before it is answered");
    expect(() => order().send().outcome(filled).outcome(filled)).toThrow("must be answered once, was accepted");
    expect(() =>
      order()
        .send()
        .outcome({ ...filled, nonce: 7 as Nonce }),
    ).toThrow("must be to nonce 1000, was to 7");
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
    expect(life.at(900).todo).toEqual(["halt", "ask"]);
    expect(life.at(901).todo).not.toContain("halt");
    expect(life.hear({ kind: "landed", receipt: FILL }).state.kind).toBe("confirmed");
  });
});

describe("an unknown outcome", () => {
  test("a time-out, a 401, a 5xx, a reset or an unreadable answer leaves the outcome unknown and frees nothing", () => {
    for (const code of ["timeout", "unauthorized", "venue-down", "reset", "bad-json"]) {
      const life = order().doubt(code);
      expect(life.phase).toBe("unknown");
      expect(life.effects).toEqual([{ kind: "ask", round: 1, witnesses: ["trades"] }]);
    }
  });

  test("an answer that contradicts itself leaves the outcome unknown and stops new orders, and the halt names the way out", () => {
    const life = order().doubt("contradiction", true);
    expect(life.phase).toBe("unknown");
    expect(life.effects).toEqual([
      {
        kind: "halt",
        cause: "contradiction",
        subject: `answer to ${ID}`,
        reason: `the answer to ${ID} contradicts itself: said contradiction`,
        wayOut: `wait until pegbot status no longer shows the outcome of ${ID} as unknown (if it asks a person: pegbot resolve ${ID} --filled|--not-filled --reason "..."), then pegbot resume --reason "..."`,
      },
      { kind: "ask", round: 1, witnesses: ["trades"] },
    ]);
  });

  test("until something answers, the trade history is asked again, one question at a time and ever more seldom", () => {
    const life = order().doubt();
    const asked: number[] = [];
    for (let seconds = 0; seconds < 20_000; seconds++) {
      if (seconds > 0) life.at(seconds);
      if (!life.todo.includes("ask")) continue;
      expect(life.effects.at(-1)).toEqual({ kind: "ask", round: asked.length + 1, witnesses: ["trades"] });
      asked.push(seconds);
      expect(life.at(seconds).todo).toEqual([]);
      life.tell({ kind: "unanswered", round: life.round, code: "timeout" });
    }
    expect(asked.slice(0, 13)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 61]);
    expect(asked.length).toBeLessThan(90);
    // At most 15 minutes apart, however long it takes.
    expect(Math.max(...asked.map((seconds, index) => seconds - (asked[index - 1] ?? 0)))).toBe(900);
  });

  test("a key that is refused while an outcome is unknown halts the bot", () => {
    const life = order().doubt("unauthorized").at(0).tell({ kind: "unanswered", round: 1, code: "unauthorized" });
    expect(life.effects).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
    expect(life.phase).toBe("unknown");
  });

  test("only an accepted request with a higher nonce is a fence", () => {
    expect(order().doubt().answered(NONCE).phase).toBe("unknown");
    expect(
      order()
        .doubt()
        .answered(999 as Nonce).phase,
    ).toBe("unknown");
    expect(fenced().state).toMatchObject({ kind: "unknown", fence: 1_001, absences: 0 });
  });

  test("absence before the fence counts for nothing", () => {
    const life = order().doubt().at(0);
    life.hear(ABSENT).answered();
    expect(life.state).toMatchObject({ fence: 1_001, absences: 0 });
  });

  test("the answer that raised the fence is no evidence itself: it may be older than the trade", () => {
    const life = order().doubt().at(0).answered().hear(ABSENT);
    expect(life.state).toMatchObject({ fence: 1_001, absences: 0 });
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

  test("a rate-limited order is rejected after the round of witnesses at 30 s and not before; one with a 401 is not", () => {
    const life = order().doubt("rate-limited");
    expect(life.look(0, ABSENT).phase).toBe("unknown");
    expect(life.answered().look(15, ABSENT).phase).toBe("fenced");
    expect(life.look(30, ABSENT).state.kind).toBe("rejected");
    expect(life.todo).toEqual(["free"]);
    expect(order().doubt("unauthorized").answered().look(30, ABSENT).phase).toBe("fenced");
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
    expect(asked.slice(0, 10)).toEqual([0, 5, 15, 30, 60, 120, 300, 600, 900, 1_800]);
    expect(asked.at(-1)).toBe(86_400);
  });

  test("three absences of which the last was asked 120 s after the fence release the money", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).look(15, ABSENT).look(30, ABSENT).look(60, ABSENT);
    expect(life.state).toMatchObject({ fence: 1_001, absences: 5 });
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
    expect(life.hear(ABSENT).state).toMatchObject({ fence: 1_001, absences: 3 });
  });

  test("two absences are not enough", () => {
    expect(fenced().look(0, ABSENT).look(120, ABSENT).state).toMatchObject({ fence: 1_001, absences: 2 });
  });

  test("the answer of an abandoned question is thrown away", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(15);
    const { round } = life;
    life.tell({ kind: "unanswered", round, code: "timeout" });
    expect(life.hear(ABSENT, round).state).toMatchObject({ absences: 2 });
    life.at(120);
    expect(life.hear(ABSENT, round).state).toMatchObject({ fence: 1_001, absences: 2 });
    expect(life.hear(ABSENT, round + 1).state.kind).toBe("released");
  });

  test("one answer counts once", () => {
    const life = fenced().look(0, ABSENT);
    expect(life.hear(ABSENT).hear(ABSENT).state).toMatchObject({ absences: 1 });
  });

  test("an answer that proves nothing counts for nothing", () => {
    const silent = { kind: "silent", reason: "cut off" } as const;
    expect(fenced().look(0, ABSENT).look(5, silent).look(15, ABSENT).look(120, silent).state).toMatchObject({
      absences: 2,
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
    expect(life.state).toMatchObject({ fence: 1_001, absences: 0 });
    expect(life.todo).toEqual([]);
    life.look(120, split);
    expect(life.state).toMatchObject({ kind: "unknown", escalated: "orders show it as Filled" });
    expect(life.effects).toMatchObject([{ kind: "escalate" }, { kind: "halt", cause: "contradiction" }]);
  });

  test("a contradiction halts and asks a person at once, fenced or not", () => {
    for (const life of [order().doubt(), fenced()]) {
      life.hear({ kind: "contradiction", shows: "rejected", reason: "trades show 5, orders show 6", cause: "foreign" });
      expect(life.phase).toBe("escalated");
      expect(life.todo).toEqual(["escalate", "halt"]);
      expect(life.effects.at(-1)).toMatchObject({
        reason: `${ID}: trades show 5, orders show 6`,
        wayOut: expect.stringMatching(
          /^was it you\? If not, revoke the key in the venue's portal first; then pegbot resolve /,
        ),
      });
    }
  });

  /** Each asks a person for a reason of its own. */
  const REASONS: readonly (readonly [string, (life: Order) => void, string])[] = [
    [
      "worth more than one per cent of equity",
      (life) => {
        life.conditions = { ...life.conditions, equity: Money.of("10009.99", CHF) };
      },
      "released without a person is at most 100.0999 CHF, was 100.1",
    ],
    [
      "worth more than one order may be",
      (life) => {
        life.conditions = { ...life.conditions, orderMax: Money.of("100.09", CHF) };
      },
      "released without a person is at most 100.09 CHF, was 100.1",
    ],
    [
      "of unknown worth",
      (life) => {
        life.submission = { ...life.submission, value: undefined };
      },
      "but what it is worth is unknown",
    ],
    [
      "worth an amount of another currency than equity",
      (life) => {
        life.conditions = { ...life.conditions, equity: Money.of("20000", VCHF) };
      },
      "but it is worth 100.1 CHF and the limit is in VCHF",
    ],
    [
      "on an account that has not shown a fill yet",
      (life) => {
        life.conditions = measuring(life, { hasShownFill: false });
      },
      "trades, orders and balances have not shown a fill of this account yet",
    ],
    [
      "the fourth of a day before 200 orders were acknowledged",
      (life) => {
        life.conditions = measuring(life, { releasedToday: 3, acknowledged: 199 });
      },
      "3 releases a day are the most until 200 orders are acknowledged",
    ],
    [
      "after a late fill",
      (life) => {
        life.conditions = measuring(life, { hasLateFill: true, acknowledged: 200 });
      },
      "a released order filled after all, and no one has resumed since",
    ],
  ];

  test.each(REASONS)("a person is asked about an absent order that is %s", (_, change, reason) => {
    const life = fenced();
    change(life);
    life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT);
    expect(life.phase).toBe("escalated");
    expect(life.effects).toEqual([{ kind: "escalate", reason: expect.stringContaining(reason) }]);
  });

  test("while equity is unknown an absent order is neither released nor handed to a person; the next round decides", () => {
    const life = fenced();
    const { conditions } = life;
    life.conditions = { ...conditions, equity: undefined };
    expect(life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT).phase).toBe("fenced");
    life.conditions = conditions;
    expect(life.look(300, ABSENT).phase).toBe("released");
  });

  test("what is worth exactly the cap is released, and so is the fourth of a day once 200 orders are acknowledged", () => {
    const lives = [fenced(), fenced(), fenced()] as const;
    lives[0].conditions = { ...lives[0].conditions, equity: Money.of("10010", CHF) };
    lives[1].conditions = { ...lives[1].conditions, orderMax: Money.of("100.10", CHF) };
    lives[2].conditions = measuring(lives[2], { releasedToday: 3, acknowledged: 200 });
    for (const life of lives) expect(life.look(0, ABSENT).look(5, ABSENT).look(120, ABSENT).phase).toBe("released");
  });

  test("after 15 minutes a person is asked, also without a fence and also when the wall clock was set back", () => {
    const late = (life: Life<"order">) => {
      expect(life.at(899).phase).not.toBe("escalated");
      const reason = expect.stringContaining("is unknown for 0:15:00 or more: ");
      expect(life.at(900).state).toMatchObject({ kind: "unknown", escalated: reason });
      expect(life.todo[0]).toBe("escalate");
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
      expect(() => life.tell(landed)).toThrow(`must wait for a person to be closed by one, was ${life.state.kind}`);
  });

  test("is never outvoted by absence, but by a trade that shows up", () => {
    const life = fenced().at(900).look(901, ABSENT).look(1_801, ABSENT).look(2_701, ABSENT);
    expect(life.phase).toBe("escalated");
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

  test("finds an order that was being sent: its outcome is unknown and nothing is freed", () => {
    const life = order().send().tell(restart);
    expect(life.state).toMatchObject({ kind: "unknown", nonce: 1_000, code: "crash" });
    expect(life.todo).toEqual([]);
  });

  test("keeps the fence and what was counted, and the window counts from there by the wall clock", () => {
    const life = fenced().look(0, ABSENT).look(5, ABSENT).at(50);
    // Down for 40 s, with a new monotonic clock: 90 s after the fence.
    life.seconds = 3;
    life.wallStep = 87;
    life.tell(restart);
    expect(life.look(3, ABSENT).state).toMatchObject({ kind: "unknown", fence: 1_001, absences: 3 });
    expect(life.look(33, ABSENT).state.kind).toBe("released");
  });

  test("after a long time down leaves the decision to rounds, and asks a person where they prove nothing", () => {
    const down = (): typeof life => {
      const life = fenced();
      life.wallStep = 7_200;
      return life.tell(restart);
    };
    const life = down().look(1, ABSENT).look(6, ABSENT);
    expect(life.phase).toBe("fenced");
    expect(life.look(16, ABSENT).state.kind).toBe("released");
    expect(down().look(1, { kind: "silent", reason: "cut off" }).state).toMatchObject({ escalated: "cut off" });
    expect(down().at(899).phase).toBe("fenced");
    expect(down().at(901).phase).toBe("escalated");
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

describe("a released order", () => {
  test("is late when its trade shows up after all: booked once, and the bot halts", () => {
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
