// Protections of the protocol, each taken away by itself at a seam of the real code: what the campaign must notice.

import type { ClientOrderId } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import type { Answer, Effects } from "../../src/execution/effects.ts";
import type { Executor } from "../../src/execution/executor.ts";
import { isEscalated, type Moment } from "../../src/execution/request.ts";
import type { JournalRecord, ResolutionRecord } from "../../src/journal/record.ts";
import type { Weakness } from "./world.ts";

/** An order without an answer is sent once more, as if its id made that safe. */
export const resendsOnDoubt: Weakness = {
  exchange: (exchange) => ({
    ...exchange,
    async addOrder(order, want) {
      const outcome = await exchange.addOrder(order, want);
      const anyway = { class: "order", recheck: nothing, sending: nothing, lastCheck: nothing } as const;
      if (outcome.kind === "doubt") await exchange.addOrder(order, anyway);
      return outcome;
    },
  }),
};

function nothing(): undefined {}

/** What is no fill counts as a rejection. */
export const takesDoubtForRejection: Weakness = {
  exchange: (exchange): Exchange => ({
    ...exchange,
    async addOrder(order, want) {
      const outcome = await exchange.addOrder(order, want);
      if (outcome.kind !== "doubt") return outcome;
      const { failure, nonce } = outcome;
      return { kind: "rejected", failure: { ...failure, status: undefined }, nonce, receivedAt: millis(nonce) };
    },
  }),
};

/** The record of sending is kept back until the answer is there to be written with it. */
export const recordsAfterTheAnswer: Weakness = {
  journal(journal) {
    const kept: JournalRecord[] = [];
    return {
      ...journal,
      announce(records) {
        kept.push(...records);
        return journal.head();
      },
      transact: (decide) =>
        journal.transact(() => {
          const { records, value } = decide();
          const isAnswered = records.some(({ kind }) => kind === "outcome" || kind === "doubt");
          return { records: isAnswered ? [...kept.splice(0), ...records] : records, value };
        }),
    };
  },
};

/** One look at the trades that does not show an order frees it. */
export const freesAtTheFirstLook: Weakness = {
  core: (core) => ({ ...core, executor: hasty(core.executor) }),
};

function hasty(executor: Executor): Executor {
  return new Proxy(executor, {
    get(target, name) {
      if (name === "answered") return (answer: Answer, now: Moment, out: Effects) => freed(target, answer, now, out);
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function freed(executor: Executor, answer: Answer, now: Moment, out: Effects): void {
  executor.answered(answer, now, out);
  if (answer.witness !== "trades") return;
  for (const { id, state } of [...executor.open()]) {
    if (state.kind !== "unknown" || isEscalated(state)) continue;
    const verdict = { kind: "released" } as const;
    const reason = "not in the trades";
    const record: ResolutionRecord = { kind: "resolution", at: now.at, id, verdict, reason, by: "bot" };
    executor.fold({ sequence: 0, hash: "", writer: "hasty", record });
    out.record(record);
    const report = { kind: "dead", reason } as const;
    out.tell({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt: now.at });
  }
}
