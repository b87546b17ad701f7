// A person closes a payment that the list has as pending for ever: only so that the balances are exact with it closed, after a day,
// and with a value. Real commands and a real bot on virtual time.

import { expect, test } from "vitest";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Side } from "../../src/domain/order.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { AdoptInput } from "../../src/operation/adopt.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import {
  type Asking,
  atArrival,
  atRecord,
  before,
  type Closing,
  close,
  expectSameBooks,
  type Finished,
  HOME,
  KEY,
  recordsOf,
  SLOW_BOT,
  TreasuryWorld,
  VCHF,
  whitelist,
} from "./world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEVER = { settlement: { medianMs: 90 * DAY, sigma: 0, minMs: 90 * DAY, maxMs: 90 * DAY } };

type Scene = { readonly world: TreasuryWorld; readonly payment: string };

/** One payment of 100 VCHF is in flight, and pending by the list, for longer than `waitMs`; no bot is there any more. */
async function inFlight(direction: "on" | "off", waitMs = DAY): Promise<Scene> {
  const world = await TreasuryWorld.open(1, NEVER, CORE_FUNDS);
  whitelist(world, { address: HOME, label: "Home" });
  const bot = world.bot({ ...SLOW_BOT, settings: pipelineDefaults });
  await world.pass(3 * MINUTE);
  expect((await world.end(world.rail(direction, direction === "on" ? "vchf-home" : "vchf-out"))).code).toBe(0);
  const [rail] = recordsOf(world, "intent").filter(({ request }) => request.kind === "rail");
  const standing = world.reader().executor.get(rail?.id ?? "")?.state as { readonly receipt: Rail } | undefined;
  expect(world.venue.venue.pay(standing?.receipt.railId ?? "", Quantity.of("100"), world.moment()).ok).toBe(true);
  await world.pass(20 * MINUTE);
  bot.kill();
  await world.pass(waitMs);
  const [flight] = world.reader().books.accounts.flights();
  return { world, payment: flight?.id ?? "" };
}

/** Its sender dies: with its bytes out it fills, with none out it never happens, and the journal is the same. */
async function lostOrder(world: TreasuryWorld, side: Side, isFilled: boolean): Promise<void> {
  const command = world.order({ side, symbol: PAIR, price: side === "buy" ? "1.02" : "0.98" });
  if (isFilled) atArrival("addOrder")(world, command);
  else atRecord("after", "sending")(world, command);
  await world.pass(MINUTE);
  world.venue.onCall = undefined;
  expect([command.life.isAlive, unwrap(world.venue.venue.trades(KEY, world.moment())).length]).toEqual([
    false,
    isFilled ? 1 : 0,
  ]);
}

const closing = ({ world, payment }: Scene, word: Closing, through?: Asking["through"]): Promise<Finished> =>
  world.end(close(world, payment, word, through === undefined ? {} : { through }));

function credit(world: TreasuryWorld, quantity = "100"): void {
  world.venue.venue.credit(KEY, VCHF, Quantity.of(quantity), world.moment());
}

const flights = ({ world }: Scene): readonly string[] =>
  [...world.reader().books.accounts.flights()].map(({ id }) => id);

/** Refused for the balances, and nothing was closed. */
function expectInexact(scene: Scene, { code, stderr }: Finished): void {
  const said = `would differ from the books: they do not show it of ${scene.payment}; nothing was changed`;
  expect([code, stderr, flights(scene)]).toEqual([3, expect.stringContaining(said), [scene.payment]]);
  expect(stderr).toContain("--venue-confirms");
}

test.each([
  ["off", { notLanded: true }, false],
  ["off", { landed: true }, true],
  ["on", { landed: true }, false],
  ["on", { notLanded: true }, true],
] as const)(
  "a payment (%s) is not closed as %o against what the balances show",
  async (direction, word, isCredited) => {
    const scene = await inFlight(direction);
    if (isCredited) credit(scene.world);
    expectInexact(scene, await closing(scene, word));
  },
);

test.each([
  ["off", { notLanded: true }, true, "100 VCHF count as given back"],
  ["off", { landed: true }, false, "100 CHF have arrived outside"],
  ["on", { landed: true }, true, "100 VCHF are on account, fee 0"],
  ["on", { notLanded: true }, false, "100 VCHF do not come"],
] as const)(
  "a payment (%s) is closed as %o where the balances are exact with it",
  async (direction, word, isCredited, text) => {
    const scene = await inFlight(direction);
    if (isCredited) credit(scene.world);
    const closed = await closing(scene, word);
    expect([closed.code, closed.stdout, flights(scene)], closed.stderr).toEqual([0, expect.stringContaining(text), []]);
    expectSameBooks(scene.world);
    const again = await closing(scene, word);
    expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(/is over: .*closed by .*pegbot adopt/s)]);
  },
);

test("the venue's written word closes a payment that the balances do not show", async () => {
  const scene = await inFlight("off");
  const closed = await closing(scene, { notLanded: true, venueConfirms: true });
  expect([closed.code, flights(scene)], closed.stderr).toEqual([0, []]);
});

test("of coins that came back not a cent may be missing", async () => {
  const scene = await inFlight("off");
  credit(scene.world, "99.99");
  expectInexact(scene, await closing(scene, { notLanded: true }));
  credit(scene.world, "0.01");
  expect((await closing(scene, { notLanded: true })).code).toBe(0);
});

test.each([
  ["bought, as coins that came back", "off", "buy", true, { notLanded: true }, undefined],
  ["bought, next to other money", "off", "buy", true, { notLanded: true }, "7"],
  ["sold, hiding coins that came back", "off", "sell", true, { landed: true }, "100"],
  ["sold, hiding coins that have come", "on", "sell", true, { notLanded: true }, "100"],
] as const)(
  "an order of unknown outcome that has %s, does not close a payment",
  async (_, direction, side, isFilled, word, more) => {
    const scene = await inFlight(direction);
    await lostOrder(scene.world, side, isFilled);
    if (more !== undefined) credit(scene.world, more);
    expectInexact(scene, await closing(scene, word));
  },
);

function listedAs({ world }: Scene, status: string): void {
  const { venue } = world.venue;
  const { payments } = venue;
  venue.payments = (...given) => {
    const listed = payments(...given);
    return (listed.ok ? ok(listed.value.map((row) => ({ ...row, status }))) : listed) as typeof listed;
  };
}

test.each(["pending", "held"])("a payment that the list has as %s is not closed before a day", async (status) => {
  const scene = await inFlight("on", DAY - 25 * MINUTE);
  listedAs(scene, status);
  const early = await closing(scene, { notLanded: true });
  const why = expect.stringContaining(`as "${status}", and has had less than a day`);
  expect([early.code, early.stderr, flights(scene)]).toEqual([3, why, [scene.payment]]);
});

test.each(["rejected", "settled"])("a payment that the list calls %s meanwhile is over by it", async (status) => {
  const scene = await inFlight("off");
  listedAs(scene, status);
  const over = await closing(scene, { notLanded: true });
  expect([over.code, over.stderr]).toEqual([3, expect.stringMatching(/ is over: .*; nothing was changed/)]);
});

test("a payment is not booked by coins that another person adopts meanwhile", async () => {
  const scene = await inFlight("on");
  credit(scene.world);
  const adopted = {
    amounts: [Money.of("100", VCHF)],
    history: { until: undefined, ids: [] },
    reason: "wire",
    by: "ann",
  };
  const meanwhile = before("payment", () => {
    const at = millis(scene.world.time.clock.now());
    return { kind: "adoption", adoption: { kind: "adoption", at, ...adopted } };
  });
  const moved = await closing(scene, { landed: true }, meanwhile);
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining("the account moved meanwhile")]);
  expect(flights(scene)).toEqual([scene.payment]);
});

function adopting(world: TreasuryWorld, input: Partial<AdoptInput> = {}): Promise<Finished> {
  return world.end(world.asks("adopt", { reason: "as it is", ...input }));
}

/** What persons adopted after the opening entry. */
function adopted(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "adoption")
    .slice(1)
    .flatMap(({ amounts }) => amounts.map((amount) => `${amount} ${amount.asset}`));
}

test("money that came next to a payment onto the account is adopted only where a person says that it is other money, and without the payment", async () => {
  const scene = await inFlight("on");
  credit(scene.world, "7");
  const refused = await adopting(scene.world);
  expect([refused.code, refused.stderr, adopted(scene.world)]).toEqual([
    3,
    expect.stringContaining(`pegbot adopt --beside ${scene.payment}`),
    [],
  ]);
  expect(refused.stderr).toMatch(new RegExp(`^of ours +${scene.payment}`, "m"));
  credit(scene.world);
  const taken = await adopting(scene.world, { beside: [scene.payment], shown: "all" });
  expect([taken.code, adopted(scene.world)], taken.stderr).toEqual([0, ["7 VCHF"]]);
  expect((await closing(scene, { landed: true })).code).toBe(0);
  expectSameBooks(scene.world);
});
