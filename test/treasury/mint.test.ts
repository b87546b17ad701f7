// A mint of a person in every way its answer can be lost: sent once, adopted when it landed, otherwise left to a person with a
// plain question. Real commands and a real bot on virtual time.

import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import type { MintIntent, MintRecord } from "../../src/domain/mint.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import { isEscalated, type MoneyRequest, stateText } from "../../src/execution/request.ts";
import { treasuryTermsOf } from "../../src/operation/terms/treasury-terms.ts";
import { holdingOf } from "../../src/treasury/plan/holding.ts";
import { situationOf } from "../../src/treasury/rebalancer/treasury-view.ts";
import { holdingsOf } from "../../src/watch/status/shown-money.ts";
import { CORE_FUNDS } from "../support/bot-core.ts";
import { deaths, faultOn, landed, lost } from "./loss.ts";
import { configOf } from "./rebalance-world.ts";
import {
  before,
  CHF,
  CONFIG,
  type Command,
  close,
  DAYS_BOT,
  expectSameBooks,
  KEY,
  recordsOf,
  SLOW_BOT,
  TreasuryWorld,
  VCHF,
  whitelist,
} from "./world.ts";

/** A minute instead of three hours: what is under test is the protocol, not the waiting. */
const QUICK = { settlement: { medianMs: 60_000, sigma: 0, minMs: 60_000, maxMs: 60_000 } };
const MINUTE = 60_000;
async function beside(seed = 1): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(seed, QUICK);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  return world;
}

function mintsIn(world: TreasuryWorld): readonly string[] {
  return world.journal.entries.flatMap(({ record }) =>
    record.kind === "intent" && record.request.kind === "mint" ? [String(record.request.mint.quantity)] : [],
  );
}

test.each(["100000", "100000.5"])(
  "of %s, at the venue's documented minimum, is sent as it stands",
  async (quantity) => {
    const world = await TreasuryWorld.open(1, QUICK);
    const finished = await world.end(world.mint({ asset: "VGBP", quantity }));
    expect([finished.code, finished.stdout], finished.stderr).toEqual([
      0,
      expect.stringMatching(/the coins are on their way/),
    ]);
    expect(mintsIn(world)).toEqual([quantity]);
  },
);

describe("a mint beside a running bot", () => {
  test("settles while the bot trades, and the books are the venue's to the last digit", async () => {
    const world = await TreasuryWorld.open(1, QUICK);
    world.bot();
    await world.pass(30_000);
    const finished = await world.end(world.mint({ wait: true, reason: "month end" }));
    expect([finished.code, finished.stdout], finished.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
    await world.pass(30_000);
    expect(world.halts()).toEqual([]);
    const whys = world.journal.entries.flatMap(({ record }) =>
      record.kind === "intent" && record.why ? [record.why] : [],
    );
    expect(whys).toEqual([expect.stringMatching(/^wanted by .+: month end$/)]);
    expect(world.calls("mintTokens")).toHaveLength(1);
    expect([...new Set(world.venue.requests().map(({ outcome }) => outcome))]).toEqual(["ok"]);
    expectSameBooks(world);
  });

  test("leaves the bot at least 0.8 of the orders that it has without one", async () => {
    const orders = async (isMinting: boolean): Promise<number> => {
      const world = await TreasuryWorld.open(1, QUICK);
      world.bot();
      await world.pass(30_000);
      const before = world.venue.orders.length;
      if (isMinting) world.mint({ wait: true });
      await world.pass(180_000);
      expect(world.calls("mintTokens")).toHaveLength(isMinting ? 1 : 0);
      return world.venue.orders.length - before;
    };
    const [alone, beside] = [await orders(false), await orders(true)];
    process.stdout.write(`orders in 180 s: ${alone} alone, ${beside} beside a mint\n`);
    expect(alone).toBeGreaterThan(30);
    expect(beside).toBeGreaterThanOrEqual(0.8 * alone);
  });

  test.each(landed("mintTokens"))(
    "that gets %s is found in the list, is sent once, and is booked at the cost that a person states",
    async (_, faults) => {
      const world = await beside();
      world.setFaults(faults);
      const unknown = await world.end(world.mint());
      expect([unknown.code, unknown.stdout], unknown.stderr).toEqual([4, expect.stringMatching(/^unknown/)]);
      await world.pass(12 * MINUTE);
      await expectCosted(world);
      expect(world.halts()).toEqual([]);
    },
  );

  test("that is found in the list of a venue with a fee is booked with the stated fee, while the bot trades", async () => {
    const world = await TreasuryWorld.open(1, { ...QUICK, mintFeeBps: 5 });
    world.bot();
    await world.pass(30_000);
    world.setFaults(faultOn("mintTokens", { fault: "lost-answer" }));
    expect((await world.end(world.mint())).code).toBe(4);
    await world.pass(2 * MINUTE);
    const fee = await expectCosted(world, 5);
    const { mintFees, unvaluedFees } = world.reader().books.counters.shown.totals;
    expect([String(mintFees), unvaluedFees]).toEqual([String(fee), 0]);
    expect(world.halts()).toEqual([]);
  });

  test.each(lost("mintTokens"))(
    "that gets %s is left to a person, who closes it, and is not sent again",
    async (_, faults) => {
      const world = await beside();
      world.setFaults(faults);
      const unknown = await world.end(world.mint());
      expect(unknown.code, unknown.stderr).toBe(4);
      await world.pass(40 * MINUTE);
      const { id, state } = theMint(world);
      expect(stateText(state)).toBe("escalated");
      const asked = movementsOf(world, id).filter(({ kind }) => kind === "escalated");
      expect(asked).toMatchObject([{ wayOut: `pegbot resolve ${id} --landed|--not-landed --reason "..."` }]);
      expect(world.calls("mintTokens").length).toBe(1);
      expectTied(world);
      const second = await world.end(world.mint());
      expect([second.code, second.stderr]).toEqual([3, expect.stringContaining(`one mint of VCHF at a time: ${id}`)]);
      const closed = await world.end(close(world, id, { notLanded: true }));
      expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("closed as not landed")]);
      await world.pass(2 * MINUTE);
      expect(world.calls("mintTokens").length).toBe(1);
      expectFree(world);
      const third = await world.end(world.mint({ wait: true }));
      expect([third.code, third.stdout], third.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
      expectSameBooks(world);
    },
  );
});

// The list does not say what it cost.
const DEATHS = deaths("mintTokens", "confirmed").map((death) =>
  death.name === "after the answer is on disk" ? { ...death, ends: "settled" as const } : death,
);

describe("a mint whose process is killed", () => {
  test.each(DEATHS)("$name while no bot runs is found at the next start", async ({ kills, calls, ends }) => {
    const world = await TreasuryWorld.open(2, QUICK);
    const first = world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    first.kill();
    kills(world, world.mint());
    await world.pass(60 * MINUTE);
    world.bot(SLOW_BOT);
    await world.pass(40 * MINUTE);
    expect(mints(world)[0]?.state.kind).toBe(ends);
    expect(world.calls("mintTokens").length).toBe(calls);
    expect(world.halts()).toEqual([]);
    if (ends === "unknown" || ends === "confirmed") expectTied(world);
    if (ends === "confirmed") await expectCosted(world);
    else if (ends !== "unknown") expectSameBooks(world);
  });
});

test("a held mint is followed for four days across restarts: in flight, never spendable, and settled when it is released", async () => {
  const world = await TreasuryWorld.open(3, QUICK);
  let bot = world.bot(DAYS_BOT);
  await world.pass(3 * MINUTE);
  world.venue.venue.setFaults({ mintHoldChance: 1 });
  const held = await world.end(world.mint({ wait: true, quantity: "150000" }));
  expect([held.code, held.stdout], held.stderr).toEqual([
    4,
    expect.stringMatching(/^held .* (Travel Rule timeout|sanctions hit|EDD required)/),
  ]);
  expect(held.stdout).toContain("support");
  const before = world.calls("querySupplyChanges").length;
  for (let day = 0; day < 4; day++) {
    await world.pass(24 * 60 * MINUTE);
    bot.kill();
    bot = world.bot(DAYS_BOT);
    await world.pass(20 * MINUTE);
    const { accounts } = (world.tradingCore as Engine).books;
    const quantity = theMint(world).request.quantity.of(VCHF);
    expect(String(accounts.inFlight(VCHF))).toBe(String(quantity));
    expect(String(accounts.spendable(VCHF))).toBe("500000");
    expectSameBooks(world);
  }
  expect(world.halts()).toEqual([]);
  // Never more than once in 15 minutes after the first day of each life, and never given up.
  const asked = world.calls("querySupplyChanges").length - before;
  expect(asked).toBeGreaterThan(4 * 24 * 4 - 40);
  expect(asked).toBeLessThan(4 * (24 * 12 + 40));
  const { receipt } = theMint(world).state as { receipt: MintRecord };
  world.venue.venue.hold(receipt.requestId, false, world.moment());
  await world.pass(90 * MINUTE);
  expect(theMint(world).state.kind).toBe("settled");
  expectSameBooks(world);
});

test("a held mint that the venue cancels and pays back is closed by its written word, and the books are the venue's again", async () => {
  const world = await TreasuryWorld.open(3, QUICK);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  const { accounts: before } = world.reader().books;
  world.venue.venue.setFaults({ mintHoldChance: 1 });
  expect((await world.end(world.mint({ wait: true, quantity: "150000" }))).code).toBe(4);
  const { id, request } = theMint(world);
  expect(String(world.reader().books.accounts.inFlight(VCHF))).toBe(String(request.quantity));
  const early = await world.end(close(world, id, { notLanded: true }));
  expect([early.code, early.stderr]).toEqual([3, expect.stringMatching(/lists T-\S+ as "held"; .*--venue-confirms/s)]);
  expect(theMint(world).state.kind).toBe("confirmed");
  const { spent } = (theMint(world).state as { receipt: MintRecord }).receipt;
  world.venue.venue.credit(KEY, CHF, Quantity.of(String(spent)), world.moment());
  const closed = await world.end(close(world, id, { notLanded: true, venueConfirms: true }));
  expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining("given back")]);
  const { accounts } = world.reader().books;
  for (const asset of [CHF, VCHF]) expect(String(accounts.held(asset))).toBe(String(before.held(asset)));
  expect([...accounts.flights()]).toEqual([]);
  expect(theMint(world).state).toMatchObject({ kind: "settled", receipt: { status: "returned" } });
  // A second word changes nothing.
  const second = await world.end(close(world, id, { notLanded: true }));
  expect([second.code, second.stderr]).toEqual([3, expect.stringMatching(/is settled, .*; nothing was changed/)]);
});

describe("a mint to a wallet that settles while no bot runs", () => {
  const config = configOf(CONFIG.treasury);

  /** The books are open and have a base of losses, whoever opened them is gone. */
  async function alone(): Promise<TreasuryWorld> {
    const world = await TreasuryWorld.open(1, QUICK, CORE_FUNDS);
    const bot = world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    bot.kill();
    whitelist(world);
    expect(world.reader().books.counters.peak).toBeDefined();
    return world;
  }

  const minting = (world: TreasuryWorld, wait: boolean): Command => world.mint({ to: "safe", wait }, { config });

  function expectValued(world: TreasuryWorld): void {
    const arrivals = recordsOf(world, "step").flatMap(({ step: { event } }) =>
      event.kind === "movement" && event.report.kind === "arrived" ? [String(event.value)] : [],
    );
    // A coin of the currency of the limits is worth the venue's bid, less what the last decimals take off it.
    expect(arrivals).toEqual([expect.stringMatching(/^1199[0-9]{2}\.[0-9]+$/)]);
    expect(world.reader().books.counters.state).toBe("ACTIVE");
  }

  test("is refused before anything is asked while the profile names no field for the wallet", async () => {
    const world = await alone();
    const venue = { ...config.venue, profile: "contract" } as const;
    const refused = await world.end(world.mint({ to: "safe" }, { config: { ...config, venue } }));
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("set venue.profile.mintDestination")]);
    expect(world.calls("mintTokens")).toEqual([]);
  });

  test("is valued by whoever waits for it, and nothing halts", async () => {
    const world = await alone();
    const finished = await world.end(minting(world, true));
    expect([finished.code, finished.stdout], finished.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
    expectValued(world);
  });

  test("is valued by the bot that starts next", async () => {
    const world = await alone();
    expect((await world.end(minting(world, false))).code).toBe(0);
    await world.pass(5 * MINUTE);
    world.bot({ ...SLOW_BOT, settings: pipelineDefaults });
    await world.pass(5 * MINUTE);
    expectValued(world);
  });
});

test("a mint that the list shows to a person who says that it did not land is confirmed, and not closed", async () => {
  const world = await TreasuryWorld.open(4, QUICK);
  const bot = world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  bot.kill();
  world.setFaults(faultOn("mintTokens", { fault: "lost-answer" }));
  expect((await world.end(world.mint())).code).toBe(4);
  const denied = await world.end(close(world, theMint(world).id, { notLanded: true }));
  expect([denied.code, denied.stderr]).toEqual([3, expect.stringMatching(/is confirmed, .*nothing was changed/)]);
  world.bot(SLOW_BOT);
  await world.pass(12 * MINUTE);
  await expectCosted(world);
});

test("a mint that is found while a person is asked is not closed by what the person answers", async () => {
  const world = await beside(5);
  const { id, request } = await lostMint(world);
  const { asset, blockchain, quantity } = request;
  const [at, mono] = [world.time.clock.now(), world.time.clock.monotonic()];
  const told = { transactionId: undefined, status: "pending", reason: undefined, at };
  const rows = [{ requestId: "late", asset, blockchain, quantity, ...told }];
  const answer = { witness: "supply-changes", asset, rows, askedAt: mono, receivedAt: at, nonce: undefined } as const;
  const through = before("resolution", () => ({ kind: "answer", answer }));
  const late = await world.end(close(world, id, { notLanded: true }, { through }));
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining(`${id} is confirmed since`)]);
  expect(theMint(world).state.kind).toBe("confirmed");
});

test("a person cannot close a mint by the id of another, and what it cost has to be stated in full", async () => {
  const world = await beside(5);
  const first = await world.end(world.mint({ wait: true }));
  expect(first.code, first.stderr).toBe(0);
  const { requestId } = (theMint(world).state as { receipt: MintRecord }).receipt;
  const { id, request } = await lostMint(world);
  const wrong = await world.end(close(world, id, { landed: true, venueId: requestId, spent: "1 CHF", fee: "0 CHF" }));
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining(`before ${id} was sent`)]);
  expect(mints(world).at(-1)?.state.kind).toBe("unknown");
  const planned = [String(request.quantity)];
  expect(coinsToCome(world)).toEqual({ booked: "0", mayCome: planned[0], planned });
  const unstated = await world.end(close(world, id, { landed: true, venueId: "by-support", fee: "12 CHF" }));
  expect([unstated.code, unstated.stderr]).toEqual([2, expect.stringContaining("must be stated")]);
  const spent = `${request.quantity.of(CHF).plus(Money.of("12", CHF))} CHF`;
  const closed = await world.end(close(world, id, { landed: true, venueId: "by-support", spent, fee: "12 CHF" }));
  expect(closed.code, closed.stderr).toBe(0);
  const gone = movementsOf(world, id).find(({ kind }) => kind === "departed");
  expect(gone).toMatchObject({ fee: Money.of("12", CHF), spent: request.quantity.of(CHF).plus(Money.of("12", CHF)) });
  expect(coinsToCome(world)).toEqual({ booked: planned[0], mayCome: "0", planned });
});

/** Of VCHF: as status and page show it, and as a plan counts it. */
function coinsToCome(world: TreasuryWorld) {
  const tradingCore = world.reader();
  const shown = holdingsOf(tradingCore, new Map(), { reserveBps: undefined, targets: {} }).find(
    ({ asset }) => asset === VCHF,
  );
  const { holdings } = situationOf(tradingCore, treasuryTermsOf(configOf()), () => undefined, world.time.clock.now());
  const planned = holdings
    .find(({ holding }) => holding === holdingOf(VCHF))
    ?.inFlight.map(({ amount }) => String(amount));
  return { booked: shown?.inFlight, mayCome: shown?.mayCome, planned };
}

/** Sent, never there, and left to a person. */
async function lostMint(world: TreasuryWorld): Promise<Mint> {
  world.setFaults(faultOn("mintTokens", { fault: "lost-request" }));
  expect((await world.end(world.mint())).code).toBe(4);
  await world.pass(40 * MINUTE);
  const mint = mints(world).at(-1);
  if (mint === undefined || !isEscalated(mint.state)) throw new Error("the mint must ask a person");
  return mint;
}

function movementsOf(world: TreasuryWorld, id: string): readonly MovementReport[] {
  return world.records().flatMap((record) => {
    if (record.kind !== "step" || record.step.event.kind !== "movement") return [];
    return record.step.event.id === id ? [record.step.event.report] : [];
  });
}

type Mint = { readonly id: string; readonly request: MintIntent; readonly state: MoneyRequest["state"] };

/** As the journal has them. */
function mints(world: TreasuryWorld): readonly Mint[] {
  const tradingCore = world.reader();
  return world.records().flatMap((record) => {
    if (record.kind !== "intent" || record.request.kind !== "mint") return [];
    const submission = tradingCore.executor.get(record.id);
    if (submission === undefined) throw new Error(`${record.id} must be kept`);
    return [{ id: record.id, request: record.request.mint, state: submission.state }];
  });
}

function theMint(world: TreasuryWorld): Mint {
  const [mint] = mints(world);
  if (mint === undefined) throw new Error("there must be a mint");
  return mint;
}

function expectTied(world: TreasuryWorld): void {
  const { accounts } = world.reader().books;
  const { spentMax } = theMint(world).request;
  expect(String(accounts.held(CHF)?.minus(accounts.heldAtLeast(CHF) as Money))).toBe(String(spentMax));
}

function expectFree(world: TreasuryWorld): void {
  const { accounts } = world.reader().books;
  expect(String(accounts.heldAtLeast(CHF))).toBe(String(accounts.held(CHF)));
}

/** A person states what the portal says that it cost. */
async function closedWithCost(world: TreasuryWorld, feeBps = 0): Promise<Money> {
  const { id, request } = theMint(world);
  const face = request.quantity.of(CHF);
  const fee = feeBps === 0 ? Money.zero(CHF) : face.share(feeBps, "up").rounded(8, "up");
  const words = { landed: true, spent: `${face.plus(fee)} CHF`, fee: `${fee} CHF` };
  const closed = await world.end(close(world, id, words));
  expect(closed.code, closed.stderr).toBe(0);
  return fee;
}

/** Found in the list, asked of a person, and after that word settled with the venue's books. */
async function expectCosted(world: TreasuryWorld, feeBps = 0): Promise<Money> {
  const { id, state } = theMint(world);
  expect(state.kind).toBe("confirmed");
  expect(movementsOf(world, id).at(-1)).toMatchObject({
    kind: "escalated",
    wayOut: expect.stringContaining("--spent"),
  });
  const fee = await closedWithCost(world, feeBps);
  await world.pass(6 * MINUTE);
  expect(theMint(world).state.kind).toBe("settled");
  expect(movementsOf(world, id).filter(({ kind }) => kind === "departed")).toMatchObject([{ fee }]);
  expect(world.calls("mintTokens")).toHaveLength(1);
  expectSameBooks(world);
  return fee;
}
