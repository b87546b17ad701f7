// A bot whose journal lies on a disk that fills up while it trades: the venue is in process and time is virtual, the disk is
// real. Says on stdout what left and what was said.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { openInProcess } from "../../support/in-process.ts";
import { startBot, tradesInTurn } from "../bench.ts";

const path = process.argv[2] ?? "";
const world = openInProcess({ seed: 1, funds: { CHF: "100000", VCHF: "100000" } });
const opened = openJournal({
  path,
  environment: "test",
  account: "0123456789abcdef",
  writer: "fulldisk",
  codeVersion: "0.1.0",
  absent: "create",
  newChainId: () => "chain-of-a-full-disk",
  clock: systemClock,
});
if (!opened.ok) throw new Error(opened.error.message);

let sent = 0;
const { exchange } = world;
const bot = startBot({
  world,
  journal: opened.value,
  strategy: await tradesInTurn(),
  exchange: {
    ...exchange,
    addOrder: (order, want) =>
      exchange.addOrder(order, {
        ...want,
        lastCheck() {
          const refusal = want.lastCheck();
          if (refusal === undefined) sent += 1;
          return refusal;
        },
      }),
  },
});

await world.pass(20_000);
const before = sent;
fill();
await world.pass(20_000);
const full = {
  sent: sent - before,
  followed: bot.followed.at(-1),
  state: bot.tradingCore.books.counters.state,
};
rmSync(noise());
await world.pass(20_000);
const roomAgain = { sent: sent - before, state: bot.tradingCore.books.counters.state };
bot.stop();
await world.pass(20_000);
const { open } = await bot.ended;
writeSync(1, JSON.stringify({ before, full, roomAgain, open: open.length }));
process.exit(0);

function noise(): string {
  return join(dirname(path), "noise");
}

/** Down to the last block. */
function fill(): void {
  const file = openSync(noise(), "w");
  for (let size = 1 << 20; size > 0; size >>= 1)
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  closeSync(file);
}
