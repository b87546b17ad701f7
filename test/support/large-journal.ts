// A journal of orders that fill, are confirmed and settled, by a real core: each leaves what it leaves when a bot trades.

import { Engine } from "../../src/bot/engine.ts";
import type { Input } from "../../src/bot/input.ts";
import { restoreFrom } from "../../src/bot/snapshot.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import type { Turn } from "../../src/bot/turn.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import type { Moment } from "../../src/execution/request.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { SqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { isOrder } from "../../src/risk/treasury-gate.ts";
import { instrumentOf } from "./bench-options.ts";
import { CORE_FUNDS, makeCore, PAIR } from "./bot-core.ts";
import { asBooked, fillAtLimit } from "./strategy-bench.ts";

const START = Date.UTC(2026, 0, 5);
const APART_MS = 12_000;
const WRITTEN_TOGETHER = 5_000;

/** Writes `count` records; `before`: of an earlier call, from which the account goes on. */
export async function makeLargeJournal(
  journal: SqliteJournal,
  count: number,
  say: (text: string) => void,
  before = 0,
): Promise<void> {
  const core = new Engine(makeCore({ writer: `largelarge${before}`, endedMax: 1_000 }, IDLE), {
    safePointMs: 10_000,
  });
  if (before > 0) restoreFrom(() => core, journal);
  let ms = core.books.now > START ? core.books.now - START : 0;
  let nonce = 0;
  let written = 0;
  let saidOf = 0;
  const records: JournalRecord[] = [];
  const now = (): Moment => ({ at: millis(START + ms), mono: mono(ms) });
  const take = (input: Input): Turn => {
    const turn = core.process(input, now());
    records.push(...turn.records);
    return turn;
  };
  const asked = () => ({ askedAt: now().mono, receivedAt: now().at, nonce: ++nonce as Nonce });
  if (before === 0) open(take, now());
  while (written + records.length < count) {
    ms += APART_MS;
    const side = nonce % 2 === 0 ? "buy" : "sell";
    const price = { symbol: PAIR, bid: 0.9998, ask: 1.0002, bidSize: undefined, askSize: undefined };
    take({ kind: "event", event: { kind: "quote", ...price, source: "venue", at: undefined, receivedAt: now().at } });
    const proposal = {
      symbol: PAIR,
      side,
      limit: side === "buy" ? 1.0002 : 0.9998,
      size: 100,
      reason: "bench",
      lifetimeMs: undefined,
    } as const;
    const turn = take({ kind: "order", proposal });
    const [order] = turn.sends;
    if (order === undefined || !isOrder(order)) throw new Error(`no order: ${turn.refusal?.message}`);
    const id = order.clientOrderId;
    nonce++;
    records.push(...core.executor.sending(id, { nonce: nonce as Nonce, digest: "0".repeat(64), host: "bench" }, now()));
    const fill = fillAtLimit(order);
    const outcome = { kind: "accepted", value: fill, nonce: nonce as Nonce, receivedAt: now().at } as const;
    take({ kind: "outcome", id, outcome });
    ms += 1_000;
    take({ kind: "answer", answer: { witness: "trades", rows: [{ ...fill, status: undefined }], ...asked() } });
    ms += 1_000;
    take({ kind: "answer", answer: { witness: "balances", rows: asBooked(core.books.accounts), ...asked() } });
    if (records.length < WRITTEN_TOGETHER) continue;
    written += records.length;
    unwrap(await appended(journal, records.splice(0)));
    if (written - saidOf < 500_000) continue;
    saidOf = written;
    say(`${written} records`);
  }
  unwrap(await appended(journal, records));
}

async function appended(journal: SqliteJournal, records: readonly JournalRecord[]) {
  const written = await journal.append(records);
  return written.ok ? written : ({ ok: false, error: written.error.message } as const);
}

function open(take: (input: Input) => Turn, { at }: Moment): void {
  const amounts = Object.entries(CORE_FUNDS).map(([asset, amount]) => Money.of(amount, asset as Asset));
  const adoption = {
    at,
    amounts,
    history: { until: undefined, ids: [] },
    reason: "the bench opens",
    by: "bot",
  } as const;
  take({ kind: "event", event: { kind: "instruments", instruments: [instrumentOf(PAIR)], receivedAt: at } });
  take({ kind: "adoption", adoption: { kind: "adoption", ...adoption } });
  const rows = amounts.map((available) => ({ asset: available.asset, available, pending: undefined }));
  take({ kind: "answer", answer: { witness: "balances", rows, askedAt: mono(0), receivedAt: at, nonce: undefined } });
}
