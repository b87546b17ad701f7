// A trading core that is made of the journal, beside others on it, or over columns: it comes to the same as one that saw everything.

import { describe, expect, it } from "vitest";
import type { Accounts } from "../../../src/books/accounts/accounts.ts";
import { StartUp } from "../../../src/bot/effects/startup.ts";
import type { Engine } from "../../../src/bot/engine.ts";
import { type Input, TIME } from "../../../src/bot/input.ts";
import { restoreFrom } from "../../../src/bot/snapshot.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Nonce } from "../../../src/exchange/port.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { isOrder } from "../../../src/risk/treasury-gate.ts";
import { failure } from "../../execution/life.ts";
import { opening } from "../../journal/samples.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import {
  announced,
  filled,
  moment,
  newDesk,
  newEager,
  openDesk,
  openingInputs,
  quote,
  standingRail,
} from "../trading-core-bench.ts";

describe("a start", () => {
  /** Everything is read, and a quote; the inputs that follow. */
  function started(tradingCore: Engine): { readonly phase: string; readonly inputs: readonly string[] } {
    const startUp = new StartUp(newEager(), {}, 10_000);
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
    const followed = inputs.flatMap((input) => startUp.after(input, tradingCore, moment(20_000)).inputs);
    return { phase: startUp.phase.kind, inputs: followed.map(({ kind }) => kind) };
  }

  it("seats the strategy beside a rail in doubt, which moves no money, and waits for an order in doubt", () => {
    const rails = newDesk("raildoub", {}, IDLE);
    openDesk(rails);
    standingRail(rails, 12_000, "doubt");
    expect([...rails.executor.open()].map(({ state }) => state.kind)).toEqual(["unknown"]);
    expect(started(rails)).toEqual({ phase: "trading", inputs: ["strategy"] });
    const orders = newDesk("ordedoub");
    openDesk(orders);
    const [order] = orders.process(quote(0.999, 12_000), moment(12_000)).sends;
    if (order === undefined || !isOrder(order)) throw new Error("an order must be approved");
    const id = order.clientOrderId;
    orders.executor.sending(id, { nonce: 7 as Nonce, digest: "d", host: "h" }, moment(12_000));
    const outcome = { kind: "doubt", failure: failure("timeout"), nonce: 7 as Nonce, halt: false } as const;
    orders.process({ kind: "outcome", id, outcome }, moment(12_000));
    expect(started(orders)).toEqual({ phase: "resolving", inputs: [] });
  });
});

describe("a restart at any point of the journal", () => {
  /** A life of orders in every state, and where each transaction ended. */
  function life(): {
    readonly journal: MemoryJournal;
    readonly tradingCore: Engine;
    readonly ends: readonly number[];
  } {
    const journal = new MemoryJournal(opening, "lifetime");
    const tradingCore = newDesk("lifetime");
    const ends = [1];
    const write = (records: readonly JournalRecord[]): void => {
      if (records.length === 0) return;
      for (const record of records) journal.record(record);
      ends.push(journal.head().value.sequence);
    };
    for (const turn of openDesk(tradingCore)) write(turn.records);
    for (let order = 1; order <= 40; order++) {
      const ms = order * 5_000;
      const turn = tradingCore.process(quote(0.9985 + (order % 7) * 0.0001, ms), moment(ms));
      write(turn.records);
      if (turn.sends.length === 0) continue;
      const ending = order % 5;
      const { id, outcome } = filled(turn, order);
      if (ending === 4) {
        write(
          tradingCore.process(
            { kind: "outcome", id, outcome: { kind: "not-sent", code: "outdated", reason: "late" } },
            moment(ms + 1),
          ).records,
        );
        continue;
      }
      write(announced(tradingCore, turn, order, ms + 1));
      const failure = { code: "unfilled", status: 200, venueCode: undefined, message: "no counterpart" };
      const rejected = { kind: "rejected", failure, nonce: order as Nonce, receivedAt: millis(0) } as const;
      write(
        tradingCore.process({ kind: "outcome", id, outcome: ending === 3 ? rejected : outcome }, moment(ms + 500))
          .records,
      );
    }
    return { journal, tradingCore, ends };
  }

  it("knows what is reserved, takes over what was open, and sends nothing again", () => {
    const { journal, ends } = life();
    const all = journal.read(0, 100_000);
    if (!all.ok) throw new Error(all.error.message);
    expect(ends.length).toBeGreaterThan(100);
    for (const end of ends) {
      const prefix = all.value.slice(0, end);
      const tradingCore = newDesk("nextlife");
      for (const entry of prefix) tradingCore.fold(entry);
      const accounts = tradingCore.books.accounts as Accounts;
      const turn = tradingCore.process({ kind: "time", recovers: true }, moment(1_000_000));
      const states = new Map([...tradingCore.executor.open()].map(({ id, state }) => [id as string, state.kind]));
      const sending = new Set(prefix.flatMap(({ record }) => (record.kind === "sending" ? [record.id] : [])));
      const ended = new Set(prefix.flatMap(({ record }) => (record.kind === "outcome" ? [record.id] : [])));
      for (const { record } of prefix) {
        if (record.kind !== "intent" || ended.has(record.id)) continue;
        // Without a sending no byte left; with one it may have happened.
        expect(tradingCore.executor.get(record.id)?.state.kind).toBe(sending.has(record.id) ? "unknown" : "not-sent");
      }
      const unclear = [...states].flatMap(([id, kind]) => (kind === "unknown" ? [id] : []));
      expect([...accounts.open.values()].map(({ intent }) => intent.clientOrderId)).toEqual(unclear);
      expect(turn.sends).toEqual([]);
      for (const id of sending)
        expect(() =>
          tradingCore.executor.sending(id, { nonce: 9_999 as Nonce, digest: "", host: "" }, moment(1_000_001)),
        ).toThrow();
    }
  });

  it("comes to the same accounts and books as the process that never ended", () => {
    const { journal, tradingCore } = life();
    const restored = restoreFrom(() => newDesk("lifetime"), journal);
    if (!restored.ok) throw new Error(restored.error.message);
    const saved = ({ books }: Engine) => JSON.stringify([books.sequence, books.accounts.save(), books.counters.save()]);
    expect(saved(restored.value)).toBe(saved(tradingCore));
    // What a snapshot of the running bot has is what a core made of records has.
    expect(restored.value.save().orders).toEqual(tradingCore.save().orders);
    const open = ({ executor }: Engine) => [...executor.open()].map(({ id, state }) => `${id} ${state.kind}`);
    expect(open(restored.value)).toEqual(open(tradingCore));
  });

  it("is none where the journal counts in another currency than the limits do, and says what to do", () => {
    const { journal } = life();
    const other = (): Engine => newDesk("lifetime", { currency: "GBP" as Asset });
    expect(restoreFrom(other, journal)).toMatchObject({
      ok: false,
      error: { code: "journal-foreign", message: expect.stringMatching(/counts in CHF.* in GBP.*risk\.currency back/) },
    });
  });
});
