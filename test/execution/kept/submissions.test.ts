import { expect, test } from "vitest";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Nonce } from "../../../src/exchange/port.ts";
import type { Held } from "../../../src/execution/kept/held.ts";
import { Submissions } from "../../../src/execution/kept/submissions.ts";
import { reservationOf } from "../../../src/execution/reservation.ts";
import { type AnyReceipt, isUnknown, type MoneyKind, type State } from "../../../src/execution/submission.ts";
import { isFollowed } from "../../../src/execution/terms.ts";
import { watchFrom, watchOf } from "../../../src/execution/watch.ts";
import type { IntentRecord, RequestRecord } from "../../../src/journal/record.ts";
import { aMint, FILL, failure, ORDER, VCHF } from "../life.ts";

const now = { at: millis(1), mono: mono(1) };
const watch = watchFrom(now);
const doubt = { nonce: 1 as Nonce, code: "timeout", cause: "no answer", light: false, watch };
const fence = { nonce: 2 as Nonce, at: now.mono };
const mint = { requestId: "r1", transactionId: undefined, fee: undefined, spent: undefined, status: undefined };
const RECEIPTS: Readonly<Record<MoneyKind, AnyReceipt>> = {
  order: FILL,
  mint: { ...mint, reason: undefined },
  rail: { railId: "l1", status: "pending", reason: undefined },
};

const statesOf = (receipt: AnyReceipt): readonly State<AnyReceipt>[] => [
  { kind: "intended" },
  { kind: "sending", at: millis(0), id: "i", nonce: 1 as Nonce, digest: "d", host: "h" },
  { kind: "accepted", receipt, watch, overdue: false },
  { kind: "confirmed", receipt },
  { kind: "settled", receipt },
  { kind: "rejected", ...failure("refused") },
  { kind: "not-sent", code: "stale", reason: "too old" },
  { kind: "doubt", doubt },
  { kind: "fenced", doubt, fence, negatives: 0 },
  { kind: "escalated", doubt, fence, reason: "nobody knows" },
  { kind: "presumed-dead", at: now.at, by: "bot", reason: "absent" },
  { kind: "zombie", receipt },
];

const REQUESTS: Readonly<Record<MoneyKind, RequestRecord>> = {
  order: { kind: "order", order: ORDER },
  mint: { kind: "mint", mint: aMint.request, assets: [VCHF] },
  rail: { kind: "rail", rail: {} as Extract<RequestRecord, { kind: "rail" }>["rail"], assets: [] },
};

function intent(kind: MoneyKind, id: string): IntentRecord {
  return { kind: "intent", at: now.at, id, request: REQUESTS[kind], reserved: [], value: undefined, by: "bot" };
}

const isOpen = ({ state }: Held): boolean => state.kind !== "settled" && reservationOf(state) !== "freed";
const waits = (held: Held): boolean => isOpen(held) && (watchOf(held.state) !== undefined || isFollowed(held));
const isDoubtful = ({ state }: Held): boolean => isUnknown(state) && state.kind !== "sending";
const isUncertain = (held: Held): boolean =>
  isOpen(held) && (held.kind === "mint" || (held.kind === "order" && isUnknown(held.state)));

test("who is open, waits, is in doubt or uncertain is counted as their states say, from any state to any other", () => {
  for (const kind of ["order", "mint", "rail"] as const)
    for (const from of statesOf(RECEIPTS[kind]))
      for (const to of statesOf(RECEIPTS[kind])) {
        const submissions = new Submissions();
        const all = ["T-bot00001-1", "T-bot00001-2", "T-bot00001-3"].map((id, n) =>
          submissions.add(intent(n === 1 ? kind : "order", id), "bot00001"),
        );
        const held = all[1] as Held;
        for (const state of [from, to]) {
          submissions.became(held, state, now.at, true);
          const shown = `${kind} from ${from.kind} to ${to.kind}, now ${state.kind}`;
          expect(new Set(submissions.open), shown).toEqual(new Set(all.filter(isOpen)));
          expect(submissions.waiting, shown).toEqual(all.filter(waits));
          expect(submissions.doubts, shown).toBe(all.filter(isDoubtful).length);
          expect(submissions.areCertain, shown).toBe(!all.some(isUncertain));
        }
      }
});

test("those who wait are walked over in the order in which they opened, whoever began to wait first", () => {
  const submissions = new Submissions();
  const [first, second, third] = [1, 2, 3].map((n) => submissions.add(intent("order", `T-bot00001-${n}`), "bot00001"));
  const accepted: State<AnyReceipt> = { kind: "accepted", receipt: FILL, watch, overdue: false };
  for (const held of [third, first, second]) submissions.became(held as Held, accepted, now.at, false);
  expect(submissions.waiting).toEqual([first, second, third]);
});

test("the one that was intended last is let go like any other, when ten thousand have ended after it", () => {
  const submissions = new Submissions();
  const all = Array.from({ length: 10_001 }, (_, n) =>
    submissions.add(intent("order", `T-bot00001-${n + 1}`), "bot00001"),
  );
  const last = all.at(-1) as Held;
  for (const held of all.reverse())
    submissions.became(held, { kind: "not-sent", code: "stale", reason: "too old" }, now.at, false);
  expect([submissions.find(last.id), submissions.pastOf(last.id)]).toEqual([undefined, "given-up"]);
});
