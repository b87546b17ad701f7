import { describe, expect, test } from "vitest";
import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { Fold } from "../../src/bot/engine/fold.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";
import { orderReportOf } from "../../src/execution/order-report.ts";
import { freezeOf } from "../../src/execution/reservation.ts";
import { reservationOf } from "../../src/execution/request.ts";
import type { MoneyRequest } from "../../src/execution/request.ts";
import type { Parameters } from "../../src/execution/parameters.ts";
import { createBooks } from "../../src/risk/create-books.ts";
import { ABSENT, ANSWERED_FILL, aMint, anOrder, CHF, FILL, failure, Life, NONCE, ORDER, TERMS, VCHF } from "./life.ts";

const order = () => new Life(anOrder);
const fenced = () => order().doubt().answered();
const dead = () => fenced().look(0, ABSENT).look(5, ABSENT).look(120, ABSENT);
const filled = () =>
  order()
    .send()
    .outcome({ kind: "accepted", value: ANSWERED_FILL, nonce: NONCE, receivedAt: millis(0) });

const LIVES = {
  intended: order,
  sending: () => order().send(),
  "not-sent": () => order().outcome({ kind: "not-sent", code: "expired", reason: "too old" }),
  rejected: () =>
    order()
      .send()
      .outcome({ kind: "rejected", failure: failure("no"), nonce: NONCE, receivedAt: millis(0) }),
  accepted: filled,
  confirmed: () => filled().hear({ kind: "landed", receipt: FILL }),
  settled: () => filled().hear({ kind: "landed", receipt: FILL }).tell({ kind: "explained" }),
  doubt: () => order().doubt(),
  fenced,
  escalated: () => fenced().at(900),
  "presumed-dead": dead,
  zombie: () => dead().hear({ kind: "landed", receipt: FILL }),
} satisfies Record<MoneyRequest["state"]["kind"], () => Life<"order">>;

describe.each(Object.entries(LIVES))("an order that is %s", (kind, live) => {
  const { submission, state } = live();

  test("counts both ways as long as it may happen, in the protocol and in the engine's accounts alike", () => {
    expect(state.kind).toBe(kind);
    const accounts = new Accounts(0);
    const fold = new Fold(accounts, createBooks(CHF));
    accounts.adopt([Money.of("1000", CHF), Money.of("50", VCHF)]);
    fold.approved(ORDER, undefined, millis(0));
    const report = orderReportOf(submission);
    if (report !== undefined)
      fold.event({ kind: "report", clientOrderId: ORDER.clientOrderId, report, receivedAt: millis(1) }, millis(1));
    const seen = reservationOf(state);
    expect(accounts.open.size).toBe(seen === "both-ways" ? 1 : 0);
    // 1,000 less 100.05 for the fill.
    expect(`${accounts.held(CHF)} ${accounts.held(VCHF)}`).toBe(seen === "booked" ? "899.95 150" : "1000 50");
  });
});

test("a fill that is reported from the answer and again from history is booked once", () => {
  const accounts = new Accounts(0);
  const fold = new Fold(accounts, createBooks(CHF));
  accounts.adopt([Money.of("1000", CHF)]);
  fold.approved(ORDER, undefined, millis(0));
  for (const kind of ["accepted", "confirmed", "settled"] as const) {
    const report = orderReportOf(LIVES[kind]().submission);
    if (report === undefined) throw new Error("a fill must be reported");
    fold.event({ kind: "report", clientOrderId: ORDER.clientOrderId, report, receivedAt: millis(1) }, millis(1));
  }
  expect(`${accounts.held(CHF)}`).toBe("899.95");
});

describe("doubts freeze", () => {
  const now = fenced().now;
  const other = new Life({ ...anOrder, id: "T-k3v9x2qa-8" as ClientOrderId }).doubt().submission;

  test("nothing while every outcome is known", () => {
    const known = [order(), order().send(), filled(), dead()].map(({ submission }) => submission);
    expect(freezeOf(known, now, TERMS)).toEqual({ kind: "none" });
  });

  test("the two assets of one doubt", () => {
    for (const live of [LIVES.doubt, LIVES.fenced])
      expect(freezeOf([live().submission], now, TERMS)).toMatchObject({
        kind: "assets",
        assets: [VCHF, CHF],
        reason: `the outcome of ${anOrder.id} is unknown; more than 1 order or mint in doubt, or one for 0:15:00, freezes everything`,
      });
  });

  test("and say so where only an unknown equity keeps an order from being freed", () => {
    const terms: Parameters = { ...TERMS, awaitsEquity: true };
    const reason = (
      { submission, now }: Pick<Life<"order">, "now"> & { readonly submission: MoneyRequest },
      by = terms,
    ) => freezeOf([submission], now, by);
    const waits = { reason: expect.stringContaining("it is freed when equity can be told") };
    const early = fenced().look(0, ABSENT).look(5, ABSENT).look(60, ABSENT);
    expect(early.submission.state).toMatchObject({ kind: "fenced", negatives: TERMS.negatives });
    // It waits for its window, whatever equity is.
    expect(reason(early)).not.toMatchObject(waits);
    const late = fenced().look(0, ABSENT).look(5, ABSENT);
    late.terms = terms;
    late.look(120, ABSENT);
    expect(late.submission.state.kind).toBe("fenced");
    expect(reason(late)).toMatchObject(waits);
    expect(reason(late, TERMS)).not.toMatchObject(waits);
    // A mint is freed by a person alone.
    const mint = [0, 60, 120, 180].reduce(
      (life, second) => life.look(second, ABSENT),
      new Life(aMint).doubt().answered(),
    );
    expect(mint.submission.state).toMatchObject({ kind: "fenced", negatives: 4 });
    expect(reason(mint)).not.toMatchObject(waits);
  });

  test("everything when there are two, mints among them", () => {
    const mint = new Life(aMint).doubt().submission;
    for (const second of [other, mint])
      expect(freezeOf([fenced().submission, second], now, TERMS)).toEqual({
        kind: "everything",
        reason: "open doubts are 2, limit is 1",
      });
  });

  test("everything when one is 15 minutes old, escalated or not", () => {
    const life = fenced();
    life.seconds = 899;
    expect(freezeOf([life.submission], life.now, TERMS).kind).toBe("assets");
    life.seconds = 900;
    expect(freezeOf([life.submission], life.now, TERMS).kind).toBe("everything");
    expect(freezeOf([life.at(900).submission], life.now, TERMS).kind).toBe("everything");
  });
});
