// A bot on paper, which is the client of live, or in shadow, on a strict venue of its own that moves: of one seed the prices are the same.

import { openLocalBook, type ShadowTerms } from "../../../src/app/shadow/local-book.ts";
import { LiveOrders } from "../../../src/app/shadow/parity.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { createExchange } from "../../../src/exchange/client.ts";
import { presets } from "../../../src/exchange/profile.ts";
import { createShadow } from "../../../src/exchange/shadow.ts";
import { DEFAULT_SETTINGS } from "../../../src/simulator/core/settings.ts";
import { type DealerParameters, type MarketParameters, SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { startBot, tradesInTurn } from "../../bot/bench.ts";
import { opening } from "../../journal/samples.ts";
import { START } from "../../support/lockstep.ts";
import { memoryBudget } from "../../support/memory-budget.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import { createMemoryVenue } from "../../support/memory-network.ts";
import { createVirtualTime } from "../../support/virtual-time.ts";
import { testSigner } from "../../support/wire.ts";

const MINUTE = 60_000;
const FUNDS = { CHF: "1000000", VCHF: "1000000" };

export type Besides = {
  readonly seed: number;
  readonly minutes: number;
  /** Of the limit over the shown price, as a share of it. */
  readonly beyond: number;
  readonly market?: MarketParameters;
  readonly dealing?: Partial<DealerParameters>;
  readonly terms?: Partial<ShadowTerms>;
};

/** Shares of orders, and basis points of a fill over the price that the decision saw, below 0 where it was better. */
export type Ran = { readonly orders: number; readonly filled: number; readonly overBps: number };

export async function ran(mode: "paper" | "shadow", { seed, minutes, beyond, ...more }: Besides): Promise<Ran> {
  const { market = SCENARIOS.volatile, dealing = {}, terms } = more;
  const time = createVirtualTime(START);
  const { clock } = time;
  const timers = time.timers("bot");
  const signer = testSigner();
  const settings = { dealing: { ...DEFAULT_SETTINGS.dealing, ...dealing } };
  const venue = await createMemoryVenue({
    ...{ seed, clock, timers: time.timers("venue"), key: signer.publicKey, funds: FUNDS, settings, market },
  });
  const budget = memoryBudget(clock, timers);
  const profile = presets.contract;
  const parts = {
    ...{ clock, budget, transport: venue.transport(timers), signer, profile },
    ...{ userAgent: "pegbot/test", priceDecimals: 6 },
  };
  const book = openLocalBook({ clock, timers, profile, terms: { refillMs: 60_000, halfSpreadBps: 10, ...terms } });
  const exchange = mode === "paper" ? createExchange(parts) : createShadow(parts, () => book);
  const journal = new MemoryJournal(opening, "beside00");
  const OFF = "off: a busy test" as const;
  const limits = {
    ...{ orderValueMax: OFF, orderQuantityMax: OFF, grossExposureMax: OFF, assetExposureMax: OFF },
    ...{ turnoverPerHourMax: OFF, turnoverPerDayMax: OFF, ordersPerDayMax: 100_000 },
  } as const;
  const strategy = await tradesInTurn({ beyond, everyMs: 0 });
  const bot = startBot({ world: { clock, timers, exchange }, exchange, journal, strategy, limits });
  const pass = async (ms: number): Promise<void> => {
    const until = clock.monotonic() + ms;
    do await new Promise((resolve) => setImmediate(resolve));
    while (time.step(until) !== undefined);
  };
  await pass(minutes * MINUTE);
  bot.stop();
  await pass(10_000);
  await bot.ended;
  budget.close();
  await book.close();
  const found = new LiveOrders();
  for (const entry of unwrap(journal.read(0, Number.MAX_SAFE_INTEGER))) found.take(entry);
  const sent = venue.orders.length;
  if (mode === "shadow" && sent > 0) throw new Error(`a shadow sent ${sent} orders`);
  const filled = found.found.filter(({ paid }) => paid !== undefined);
  const over = filled.reduce((sum, { order: { side, limit }, paid = 0 }) => {
    const sign = side === "buy" ? 1 : -1;
    const shown = limit.toNumber() / (1 + sign * beyond);
    return sum + sign * (paid / shown - 1) * 1e4;
  }, 0);
  return { orders: found.found.length, filled: filled.length / found.found.length, overBps: over / filled.length };
}
