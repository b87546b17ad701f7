// What the journal costs: records a second in memory (text, chain and all), synced appends a second on disk, and how long
// a start takes to verify. Fails when memory misses its goal. Arguments: records in memory (default 300,000).

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/app/system/system-clock.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import { Money, Price, Quantity } from "../src/domain/money/money.ts";
import type { ClientOrderId } from "../src/domain/order.ts";
import { millis } from "../src/domain/time.ts";
import { inspectJournal } from "../src/journal/file/inspect.ts";
import { openJournal } from "../src/journal/open-journal.ts";
import type { JournalRecord, Opening } from "../src/journal/record.ts";
import { MemoryJournal } from "../test/support/memory-journal.ts";

const goal = 300_000;
const count = Number(process.argv[2] ?? 300_000);
const at = millis(1_794_731_400_000);
const opening: Opening = {
  kind: "opening",
  at,
  environment: "bench",
  account: "0123456789abcdef",
  chainId: "chain-of-the-bench",
  schemaVersion: 1,
  codeVersion: "0",
};

/** What one order leaves behind: intent, sending, outcome. */
function recordsOf(n: number): readonly JournalRecord[] {
  const id = `B-benchbench-${n}`;
  const clientOrderId = id as ClientOrderId;
  const symbol = "VCHF/CHF" as PairSymbol;
  const intent = {
    clientOrderId,
    symbol,
    side: "buy",
    quantity: Quantity.ofSteps(10_000 + n, 2),
    limit: Price.ofSteps(9_998, 4),
    reason: "below par",
    decidedAt: at,
    expiresAt: millis(at + 3_000),
  } as const;
  const chf = "CHF" as Money["asset"];
  const vchf = "VCHF" as Money["asset"];
  const fill = {
    clientOrderId,
    orderId: `O${n}`,
    tradeId: `${n}`,
    symbol,
    side: "buy",
    bought: Money.ofSteps(10_000 + n, 2, vchf),
    sold: Money.ofSteps(9_998 + n, 2, chf),
    fee: Money.ofSteps(1, 2, chf),
    at,
  } as const;
  return [
    {
      kind: "intent",
      at,
      id,
      request: { kind: "order", order: intent },
      reserved: [fill.sold],
      value: fill.sold,
      by: "bot",
    },
    { kind: "sending", at, id, nonce: at + n, digest: "0123456789abcdef", host: "127.0.0.1" },
    { kind: "outcome", at, id, outcome: { kind: "accepted", receipt: { kind: "order", fill } } },
  ];
}

const best = Math.max(...[1, 2, 3].map(() => inMemory(false)));
print("memory, trace only", best);
print("memory, kept", Math.max(...[1, 2, 3].map(() => inMemory(true))));
await onDisk();
if (best < goal) process.stdout.write(`missed: memory must take ${goal} records/s\n`);
process.exitCode = best < goal ? 1 : 0;

function inMemory(keep: boolean): number {
  // Made before, and a few thousand only: the bench is about the journal.
  const orders = Array.from({ length: 2_000 }, (_, n) => recordsOf(n)).flat();
  const journal = new MemoryJournal(opening, "benchbench", { keep });
  // Processor time, not the clock: a busy machine shall not change the figure much.
  const began = process.cpuUsage();
  for (let n = 0; n < count; n++) journal.record(orders[n % orders.length] ?? opening);
  const { user, system } = process.cpuUsage(began);
  return (count / (user + system)) * 1_000_000;
}

async function onDisk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-bench-"));
  try {
    const path = join(folder, "bench.db");
    const journal = openJournal({
      path,
      ...opening,
      writer: "benchbench",
      absent: "create",
      newChainId: () => opening.chainId,
      clock: systemClock,
    });
    if (!journal.ok) throw new Error(journal.error.message);
    const began = performance.now();
    const appends = 500;
    for (let n = 0; n < appends; n++) await journal.value.append(recordsOf(n).slice(0, 1));
    print("disk, one synced append each", (appends / (performance.now() - began)) * 1_000);
    const batches = performance.now();
    for (let n = 0; n < 20; n++) await journal.value.append(Array.from({ length: 500 }, (_, m) => recordsOf(m)).flat());
    print("disk, 1,500 in one append", (30_000 / (performance.now() - batches)) * 1_000);
    journal.value.close();
    const verifying = performance.now();
    if (!inspectJournal(path).ok) throw new Error("the journal of the bench must be intact");
    print("verified, pages and chain", (30_501 / (performance.now() - verifying)) * 1_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print(what: string, perSecond: number): void {
  process.stdout.write(`${what}: ${Math.round(perSecond).toLocaleString("en")} records/s\n`);
}
