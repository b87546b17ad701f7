// That the venue holds something no longer: told once, and only of what can be told.

import { expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { createLetGo } from "../../../src/watch/notices/let-go.ts";
import type { Notice } from "../../../src/watch/notices/notice.ts";
import type { Status } from "../../../src/watch/status.ts";

type One = { readonly id: string; readonly venueWord?: string; readonly isDoubt?: boolean };

const AT = millis(100_000);

function noticeOf({ id }: { readonly id: string }): Notice {
  return { kind: "mint", urgency: "critical", key: `held:${id}`, at: AT, fields: { what: "5 VCHF", id } };
}

/** `held`: payments; undefined where the list was not read. `isRead`: the books were. */
function statusOf(open: readonly One[], held: readonly string[] | undefined = [], isRead = true): Status {
  const payments = held?.map((id) => ({ id, since: 40_000 }));
  const movements = open.map((one) => ({ isDoubt: false, heldSince: 40_000, ...one }));
  return { at: AT, open: movements, treasury: isRead ? { held: payments } : undefined } as unknown as Status;
}

function staged(saved?: string) {
  const saves: string[] = [];
  const words = {
    tellMovement: (one: One) => [noticeOf(one)],
    tellPayment: noticeOf,
    ageText: (ms: number) => `${ms}`,
  };
  const letGo = createLetGo(words as never, {
    load: () => saves.at(-1) ?? saved,
    save: (text) => void saves.push(text),
  });
  const told = (status: Status) => letGo(status).map(({ key, fields }) => `${key} ${fields.status} ${fields.age}`);
  return { told, saves };
}

const HELD = { id: "M-1", venueWord: "held" };

test("a movement is let go once the list has another word for it, or none, and is told with both", () => {
  const { told, saves } = staged();
  expect([told(statusOf([HELD])), told(statusOf([HELD]))]).toEqual([[], []]);
  // Nothing has changed in between.
  expect(saves).toHaveLength(1);
  expect(told(statusOf([{ ...HELD, venueWord: "settled" }]))).toEqual([
    "held:M-1:over held no longer, listed as settled: it was 60000",
  ]);
  expect([told(statusOf([])), saves.length]).toEqual([[], 2]);
});

test("a movement that is in doubt, or of which the books are not read, is as it was", () => {
  const { told } = staged();
  told(statusOf([HELD]));
  expect(told(statusOf([{ ...HELD, isDoubt: true }]))).toEqual([]);
  expect(told(statusOf([], [], false))).toEqual([]);
  // The doubt is another's.
  expect(told(statusOf([{ id: "M-2", isDoubt: true }]))).toHaveLength(1);
});

test("a payment is as it was while the list of payments is not read, whatever else is", () => {
  const { told } = staged();
  told(statusOf([], ["P-1"]));
  expect(told({ ...statusOf([]), treasury: {} } as unknown as Status)).toEqual([]);
  expect(told(statusOf([], [], false))).toEqual([]);
  expect(told(statusOf([{ id: "P-1", isDoubt: true }]))).toEqual(["held:P-1:over held no longer: it was 60000"]);
});

test("the next process tells what this one left, 50 of them at most, and begins anew after what cannot be read", () => {
  const first = staged();
  const many = Array.from({ length: 60 }, (_, count) => ({ ...HELD, id: `M-${count}` }));
  first.told(statusOf(many));
  const next = staged(first.saves.at(-1));
  const told = next.told(statusOf([]));
  expect([told.length, told[0]?.startsWith("held:M-10:over")]).toEqual([50, true]);
  for (const text of ["", "[]", '[["M-1",{}]]', "{"]) expect(staged(text).told(statusOf([]))).toEqual([]);
});
