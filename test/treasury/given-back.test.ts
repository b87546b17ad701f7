// Whether money of a mint or a payment is back is judged by the balances: an order whose outcome they may show or lack must be
// known first. Real commands and a real bot on virtual time.

import { expect, test, vi } from "vitest";
import { type AdoptOptions, adoptWith } from "../../src/cli/action/adopt.ts";
import { orderWith, wishOf } from "../../src/cli/action/order.ts";
import type { MovementResolveOptions } from "../../src/cli/action/resolve/movement.ts";
import { resolvePayment } from "../../src/cli/action/resolve/payment.ts";
import type { Tool } from "../../src/cli/tool/tool.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { LEFT } from "../../src/domain/movement.ts";
import type { Side } from "../../src/domain/order.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { PaymentFlight } from "../../src/execution/payments.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { configOf } from "./rebalance-world.ts";
import {
  asBefore,
  atArrival,
  atRecord,
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

/** One payment of 100 VCHF is in flight, and pending by the list, for longer than a day; no bot is there any more. `lagMs`: of balances. */
async function inFlight(direction: "on" | "off", lagMs = 0): Promise<Scene> {
  const world = await TreasuryWorld.open(1, NEVER, CORE_FUNDS);
  whitelist(world, { address: HOME, label: "Home" });
  const bot = world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE + lagMs);
  expect((await world.end(world.rail(direction, direction === "on" ? "vchf-home" : "vchf-out"))).code).toBe(0);
  world.venue.venue.setFaults({ balanceLagMs: lagMs });
  pay(world);
  await world.pass(20 * MINUTE);
  bot.kill();
  await world.pass(DAY);
  const [flight] = world.reader().engine.context.accounts.flights();
  return { world, payment: flight?.id ?? "" };
}

/** 100 VCHF on the rail that stands. */
function pay(world: TreasuryWorld): void {
  const [rail] = recordsOf(world, "intent").filter(({ request }) => request.kind === "rail");
  const standing = world.reader().executor.get(rail?.id ?? "")?.state as { readonly receipt: Rail } | undefined;
  expect(world.venue.venue.pay(standing?.receipt.railId ?? "", Quantity.of("100"), world.moment()).ok).toBe(true);
}

/** Its sender dies: with its bytes out it fills, with none out it never happens, and the journal is the same. */
async function lostOrder(world: TreasuryWorld, side: Side, isFilled: boolean): Promise<string> {
  const wish = wishOf({ side, symbol: PAIR, quantity: "100" }, { price: side === "buy" ? "1.02" : "0.98" });
  const command = world.command((tool, person) =>
    orderWith({ ...tool, config: configOf() }, person, wish, { yes: true }),
  );
  if (isFilled) atArrival("addOrder")(world, command);
  else atRecord("after", "sending")(world, command);
  await world.pass(MINUTE);
  world.venue.onCall = undefined;
  expect([command.life.isAlive, unwrap(world.venue.venue.trades(KEY, world.moment())).length]).toEqual([
    false,
    isFilled ? 1 : 0,
  ]);
  return recordsOf(world, "sending").at(-1)?.id ?? "";
}

function closing({ world, payment }: Scene, options: MovementResolveOptions): Promise<Finished> {
  return world.end(
    world.command((tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      return resolvePayment(tool, person, flight, { ...options, reason: "the bank says so", yes: true });
    }),
  );
}

/** Why each payment that is given back is so, or does not come. */
function returnedBy(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "step").flatMap(({ step: { event } }) =>
    event.kind === "movement" && event.report.kind === "returned" ? [event.report.reason] : [],
  );
}

function credit(world: TreasuryWorld, quantity = "100"): void {
  world.venue.venue.credit(KEY, VCHF, Quantity.of(quantity), world.moment());
}

/** Refused, and nothing was closed, because of that order. */
function expectHidden({ world, payment }: Scene, order: string, { code, stderr }: Finished): void {
  const said = `what ${order} moved of VCHF must be known before .* of ${payment} is; nothing was changed.*a running bot looks`;
  expect([code, stderr]).toEqual([3, expect.stringMatching(new RegExp(said, "s"))]);
  expect([...world.reader().engine.context.accounts.flights()].map(({ id }) => id)).toEqual([payment]);
}

test("coins that an order of unknown outcome may have bought do not pass for a payment that came back", async () => {
  const scene = await inFlight("off");
  const order = await lostOrder(scene.world, "buy", true);
  expectHidden(scene, order, await closing(scene, { notLanded: true }));
});

test("nor do they where more has come that nothing of ours explains", async () => {
  const scene = await inFlight("off");
  const order = await lostOrder(scene.world, "buy", true);
  credit(scene.world, "7");
  expectHidden(scene, order, await closing(scene, { notLanded: true }));
});

test("coins that came back are not hidden by an order of unknown outcome that may have sold as many", async () => {
  const scene = await inFlight("off");
  const order = await lostOrder(scene.world, "sell", true);
  credit(scene.world);
  expectHidden(scene, order, await closing(scene, { landed: true }));
});

test("a payment that has come is not closed as not coming beside an order that may have bought or sold as much", async () => {
  const bought = await inFlight("on");
  const buy = await lostOrder(bought.world, "buy", false);
  credit(bought.world);
  expectHidden(bought, buy, await closing(bought, { notLanded: true }));
  expectHidden(bought, buy, await closing(bought, { landed: true }));
  const sold = await inFlight("on");
  const sell = await lostOrder(sold.world, "sell", true);
  credit(sold.world);
  expectHidden(sold, sell, await closing(sold, { notLanded: true }));
});

test("an order of unknown outcome that cannot be the money keeps nothing from being closed", async () => {
  const scene = await inFlight("off");
  await lostOrder(scene.world, "sell", false);
  credit(scene.world);
  const closed = await closing(scene, { notLanded: true });
  expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("given back")]);
});

/** The list of payments with another amount and word than the venue has. */
function otherwise(answer: Answer, amount: string, status: string): Answer {
  if (answer.witness !== "payments") return answer;
  return { ...answer, rows: answer.rows.map((row) => ({ ...row, status, amount: Money.of(amount, VCHF) })) };
}

test("a payment that the list corrects while it is closed is closed with what is booked then", async () => {
  const { world, payment } = await inFlight("off");
  // 20 by the correction, and then all of it.
  credit(world);
  const closed = await world.end(
    world.command((tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      const ask: Tool["ask"] = async (question) => otherwise(await tool.ask(question), "80", "pending");
      const options = { notLanded: true, reason: "the bank says so", yes: true };
      return resolvePayment({ ...tool, ask }, person, flight, options);
    }),
  );
  expect([closed.code, closed.stdout], closed.stderr).toEqual([
    0,
    expect.stringMatching(/payment {2}\S+: 80 VCHF gone, 80 CHF in flight.*80 VCHF count as given back/s),
  ]);
});

/** The list of payments with another one of the same id before each, on a rail of somebody else. */
function besideOthers(answer: Answer, status: string): Answer {
  if (answer.witness !== "payments") return answer;
  return { ...answer, rows: answer.rows.flatMap((row) => [{ ...row, railId: "elsewhere", status }, row]) };
}

test.each(["rejected", "no word"])(
  "what the list calls another payment of its id, %s on another rail, closes nothing by a person's word alone",
  async (status) => {
    const { world, payment } = await inFlight("off");
    const closed = () =>
      world.end(
        world.command((tool, person) => {
          const flight = { id: payment };
          const ask: Tool["ask"] = async (question) => besideOthers(await tool.ask(question), status);
          const options = { notLanded: true, reason: "the bank says so", yes: true };
          return resolvePayment({ ...tool, ask }, person, flight, options);
        }),
      );
    const early = await closed();
    const why = /lists payment:\S+ as pending, and its balances lack 100 VCHF .*; nothing was changed/;
    expect([early.code, early.stderr]).toEqual([3, expect.stringMatching(why)]);
    credit(world);
    expect(await closed()).toMatchObject({ code: 0, stdout: expect.stringContaining("listed as pending") });
  },
);

test("one that somebody else hears to be corrected before the person has confirmed is left alone", async () => {
  const { world, payment } = await inFlight("off");
  const closed = await world.end(
    world.command((tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      let heard: Answer | undefined;
      const ask: Tool["ask"] = async (question) => {
        heard = await tool.ask(question);
        return otherwise(heard, "100", "no word");
      };
      const take: Tool["take"] = async (input, unless) => {
        if (input.kind === "payment")
          await tool.take({ kind: "answer", answer: otherwise(heard as Answer, "80", "pending") });
        return tool.take(input, unless);
      };
      const options = { notLanded: true, reason: "the bank says so", yes: true };
      return resolvePayment({ ...tool, ask, take }, person, flight, options);
    }),
  );
  expect([closed.code, closed.stderr]).toEqual([
    3,
    expect.stringMatching(/is listed with another amount since: .*; nothing was changed/),
  ]);
  expect([...world.reader().engine.context.accounts.flights()].map(({ spent }) => String(spent))).toEqual(["80"]);
});

test.each([
  [119_000, 3, /payment:\S+ left so lately that .* have its money back; .*balances have until 2\S+Z to show it/s],
  [120_000, 0, /count as given back/],
])(
  "balances that may be behind, %i ms after a payment has left, do not pass for its coins",
  async (ageMs, code, words) => {
    const { world, payment } = await inFlight("off");
    const late = world.command((tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      const now = () => ({ ...tool.now(), at: millis(flight.since + ageMs) });
      const options = { notLanded: true, reason: "the bank says so", yes: true };
      return resolvePayment({ ...tool, now, read: asBefore(tool, flight.spent) }, person, flight, options);
    });
    const { code: was, stdout, stderr } = await world.end(late);
    expect([was, stdout + stderr]).toEqual([code, expect.stringMatching(words)]);
  },
);

test("a payment that the balances never showed to have left is not closed by balances that may be behind", async () => {
  const { world, payment } = await inFlight("off", 30 * MINUTE);
  const closed = (more: MovementResolveOptions = {}, lack = "0") =>
    world.end(
      world.command((tool, person) => {
        const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
        const options = { notLanded: true, reason: "the bank says so", yes: true, ...more };
        const shown = flight.spent.minus(Money.of(lack, VCHF));
        return resolvePayment({ ...tool, read: asBefore(tool, shown) }, person, flight, options);
      }),
    );
  const unseen = /the balances never showed that payment:\S+ left, .*; nothing was changed.*--venue-confirms/s;
  // Balances from before it left lack what came in since: no fee tells them from those that have its coins back.
  for (const lack of ["0", "0.5"]) {
    const late = await closed({}, lack);
    expect([late.code, late.stderr]).toEqual([3, expect.stringMatching(unseen)]);
  }
  expect((await closed({ venueConfirms: true })).code).toBe(0);
  expect(returnedBy(world)).toEqual([
    expect.stringMatching(
      /^closed by .+: the bank says so \(--venue-confirms: the balances never showed that it left\)$/,
    ),
  ]);
});

test("of a payment onto the account no money has left: a word of the venue about it is refused, and the journal says nothing of it", async () => {
  const scene = await inFlight("on");
  const worded = await closing(scene, { notLanded: true, venueConfirms: true });
  expect([worded.code, worded.stderr]).toEqual([
    2,
    expect.stringContaining("is a payment onto the account: --venue-confirms is of money that left"),
  ]);
  expect(returnedBy(scene.world)).toEqual([]);
  expect((await closing(scene, { notLanded: true })).code).toBe(0);
  expect(returnedBy(scene.world)).toEqual([expect.stringMatching(/^closed by .+: the bank says so$/)]);
});

test("balances that show the coins back once, and not when they are read again, do not pass for them", async () => {
  const { world, payment } = await inFlight("off");
  const closed = await world.end(
    world.command((tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      let readings = 0;
      const before = asBefore(tool, flight.spent);
      const read: Tool["read"] = (what, reading) => (readings++ === 0 ? before : tool.read)(what, reading);
      const options = { notLanded: true, reason: "the bank says so", yes: true };
      return resolvePayment({ ...tool, read }, person, flight, options);
    }),
  );
  expect([closed.code, closed.stderr]).toEqual([3, expect.stringContaining("its balances lack 100 VCHF")]);
});

test("that the balances have once shown a payment to have left is on record", async () => {
  const { world, payment } = await inFlight("off");
  const told = recordsOf(world, "step").flatMap(({ step: { event } }) =>
    event.kind === "movement" && event.id === payment && event.report.kind === "told" ? [event.report] : [],
  );
  expect(told).toEqual([
    { kind: "told", status: "pending", reason: undefined },
    { kind: "told", status: "pending", reason: LEFT },
  ]);
  expect(world.reader().executor.balances.haveShownGone(payment)).toBe(true);
  const [flight] = world.reader().engine.context.accounts.flights();
  expect([flight?.status, flight?.reason]).toEqual(["pending", undefined]);
});

function adopting(world: TreasuryWorld, options: AdoptOptions = {}): Promise<Finished> {
  return world.end(
    world.command((tool, person) => {
      const references = { newest: () => [], close: () => undefined };
      return adoptWith(tool, { ...person, references }, { reason: "as it is", yes: true, ...options });
    }),
  );
}

/** What persons took over, beside the opening entry. */
function takenOver(world: TreasuryWorld): readonly Money[] {
  return recordsOf(world, "adoption")
    .slice(1)
    .flatMap(({ amounts }) => amounts);
}

test("coins of a payment under way that are back are not taken over as a difference, unless a person says that they are others", async () => {
  const { world, payment } = await inFlight("off");
  credit(world);
  const refused = await adopting(world);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(`pegbot adopt --beside ${payment}`)]);
  expect(refused.stdout).toMatch(new RegExp(`^of ours +.*${payment}`, "m"));
  expect(takenOver(world)).toEqual([]);
  const taken = await adopting(world, { beside: [payment] });
  expect([taken.code, takenOver(world)]).toEqual([0, [Money.of("100", VCHF)]]);
});

test.each([
  ["is on its way", 90 * DAY],
  ["has arrived by the list that first has it", 0],
])(
  "coins of a payment that left a moment ago and %s are not taken over with a wire beside them",
  async (_, settlesMs) => {
    const settlement = { medianMs: settlesMs, sigma: 0, minMs: settlesMs, maxMs: settlesMs };
    const world = await TreasuryWorld.open(1, { settlement }, CORE_FUNDS);
    const bot = world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    expect((await world.end(world.rail("off", "vchf-out"))).code).toBe(0);
    await world.pass(MINUTE);
    bot.kill();
    credit(world, "7");
    await world.pass(100_000);
    world.venue.venue.setFaults({ balanceLagMs: 100_000 });
    pay(world);
    await world.pass(1_000);
    const early = await adopting(world);
    expect(takenOver(world)).toEqual([]);
    const said =
      /what payment:\S+ took of VCHF may not be in the venue's balances yet, which have until \S+Z to show it/;
    expect([early.code, early.stderr]).toEqual([3, expect.stringMatching(said)]);
    await world.pass(2 * MINUTE);
    const taken = await adopting(world);
    expect([taken.code, takenOver(world)], taken.stderr).toEqual([0, [Money.of("7", VCHF)]]);
  },
);

type Dress = (tool: Tool, flight: PaymentFlight) => Partial<Tool>;

/** Closes it with some of the tool otherwise. `typed`: at a terminal, by who gave no --yes. */
function dressed(
  { world, payment }: Scene,
  options: MovementResolveOptions,
  dress: Dress = () => ({}),
  typed?: string,
): Promise<Finished> {
  return world.end(
    world.command(async (tool, person) => {
      const flight = tool.desk.executor.movements.payment(payment) as PaymentFlight;
      const asked = { shell: recordedShell({ interactive: true }), prompts: scriptedPrompts(typed ?? "") };
      const given = { reason: "the bank says so", yes: typed === undefined, ...options };
      const closed = resolvePayment(
        { ...tool, ...dress(tool, flight) },
        typed === undefined ? person : asked,
        flight,
        given,
      );
      return closed.finally(() => person.shell.terminal.print(asked.shell.stdout()));
    }),
  );
}

/** As if the list had another word for it. */
const called =
  (status: string): Dress =>
  (tool) => ({ ask: async (question) => otherwise(await tool.ask(question), "100", status) });

const flightsOf = ({ world }: Scene): number => [...world.reader().engine.context.accounts.flights()].length;

test("a payment is closed by nobody who was not asked, and typed just what it is closed as", async () => {
  const scene = await inFlight("off");
  const unasked = await dressed(scene, { landed: true, yes: false });
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("this needs a confirmation")]);
  const mistyped = await dressed(scene, { landed: true }, undefined, "not-landed");
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining("must be landed, was not-landed")]);
  expect(flightsOf(scene)).toBe(1);
  const typed = await dressed(scene, { landed: true }, undefined, "landed");
  expect([typed.code, typed.stdout]).toEqual([
    0,
    expect.stringMatching(
      /closing {2}as landed: 100 CHF have arrived outside\npayment:\S+ is closed: 100 CHF have arrived outside\n/,
    ),
  ]);
  expect(flightsOf(scene)).toBe(0);
  const back = await inFlight("off");
  credit(back.world);
  const other = await dressed(back, { notLanded: true }, undefined, "not-landed");
  expect([other.code, other.stdout]).toEqual([0, expect.stringContaining("closing  as not-landed: 100 VCHF count as")]);
});

test("a payment is closed only where what it moved can be valued: losses are counted by it", async () => {
  const scene = await inFlight("on");
  credit(scene.world, "99.9");
  const silent: Dress = ({ exchange }) => {
    const quotes = async () => ({ kind: "failed" }) as never;
    return { exchange: { ...exchange, balances: exchange.balances, quotes } };
  };
  const unvalued = await dressed(scene, { landed: true }, silent);
  expect([unvalued.code, unvalued.stderr]).toEqual([3, expect.stringMatching(/VCHF has no rate now, .*nothing was/)]);
  expect(flightsOf(scene)).toBe(1);
  expect((await dressed(scene, { landed: true })).code).toBe(0);
});

test.each([
  [-1, 3, "less than a day"],
  [0, 0, "have arrived outside"],
])("the venue has a day to say how a payment ended: %i ms after it a person may", async (ms, code, words) => {
  const scene = await inFlight("off");
  const then: Dress = (tool, { since }) => ({ now: () => ({ ...tool.now(), at: millis(since + DAY + ms) }) });
  const closed = await dressed(scene, { landed: true }, then);
  expect([closed.code, closed.stdout + closed.stderr]).toEqual([code, expect.stringContaining(words)]);
});

test("of coins that came back as much as one of a hundred may be missing", async () => {
  const scene = await inFlight("off");
  credit(scene.world, "98.99");
  const lacking = await dressed(scene, { notLanded: true });
  expect([lacking.code, lacking.stderr]).toEqual([3, expect.stringContaining("its balances lack 1.01 VCHF")]);
  credit(scene.world, "0.01");
  expect((await dressed(scene, { notLanded: true })).code).toBe(0);
});

test("balances that have the coins are read twice, five seconds apart; those that lack them once", async () => {
  const scene = await inFlight("off");
  const readings: number[] = [];
  const counted: Dress = (tool) => ({
    read(what, reading) {
      readings.push(tool.now().at);
      return tool.read(what, reading);
    },
  });
  expect((await dressed(scene, { notLanded: true }, counted)).code).toBe(3);
  expect(readings).toHaveLength(1);
  credit(scene.world);
  readings.length = 0;
  expect((await dressed(scene, { notLanded: true }, counted)).code).toBe(0);
  const [first = 0, second = 0] = readings;
  expect([readings.length, second - first >= 5_000]).toEqual([2, true]);
});

test("a payment that is held is on its way; one that has settled is booked by a bot, and by nobody's word", async () => {
  const scene = await inFlight("off");
  const held = await dressed(scene, { notLanded: true }, called("held"));
  expect([held.code, held.stderr]).toEqual([3, expect.stringMatching(/as held, and its balances lack 100 VCHF/)]);
  const coming = await inFlight("on");
  const settled = await dressed(coming, { notLanded: true }, called("settled"));
  expect([settled.code, settled.stderr]).toEqual([
    3,
    expect.stringMatching(/as settled; nothing .*running bot books/s),
  ]);
  expect([flightsOf(scene), flightsOf(coming)]).toEqual([1, 1]);
});

test.each(["rejected", "settled"])(
  "one that the list has as %s meanwhile is over by it, and by nobody else",
  async (word) => {
    const scene = await inFlight("off");
    const over = await dressed(scene, { notLanded: true }, called(word));
    expect([over.code, over.stderr]).toEqual([
      3,
      expect.stringMatching(/ is over by the venue's list; nothing was changed$/),
    ]);
  },
);

test("a payment that another closes while a person is asked is in flight no more", async () => {
  const scene = await inFlight("off");
  const meanwhile: Dress = (tool) => ({
    async take(input, unless) {
      if (input.kind === "payment") await tool.take({ ...input, reason: "closed by anna: the bank" });
      return tool.take(input, unless);
    },
  });
  const late = await dressed(scene, { landed: true }, meanwhile);
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining(`${scene.payment} is in flight no more`)]);
});

test("a payment that has come is not booked by balances that another's word has explained meanwhile", async () => {
  const scene = await inFlight("on");
  const absent = await dressed(scene, { landed: true });
  expect([absent.code, absent.stderr]).toEqual([3, expect.stringContaining("do not show for certain that 100 VCHF")]);
  // There is no other payment that it may be.
  expect(absent.stderr).not.toContain("another payment that has come");
  credit(scene.world);
  const amounts = [Money.of("100", VCHF)];
  const meanwhile: Dress = (tool) => ({
    async take(input, unless) {
      if (input.kind === "payment") {
        const history = { until: undefined, ids: [] };
        const at = tool.now().at;
        await tool.take({
          kind: "adoption",
          adoption: { kind: "adoption", at, amounts, history, reason: "wire", by: "ann" },
        });
      }
      return tool.take(input, unless);
    },
  });
  const moved = await dressed(scene, { landed: true }, meanwhile);
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining("the account moved while it was looked at")]);
});

test("that the venue confirmed it is on record only where balances did not show it anyway", async () => {
  const seen = await inFlight("off");
  credit(seen.world);
  expect((await dressed(seen, { notLanded: true, venueConfirms: true })).code).toBe(0);
  expect(returnedBy(seen.world)).toEqual([expect.stringMatching(/^closed by .+: the bank says so$/)]);
});

test("a payment whose leaving no balances showed is closed as arrived all the same, once they show it gone", async () => {
  const scene = await inFlight("off", 30 * MINUTE);
  const landed = await dressed(scene, { landed: true });
  expect([landed.code, landed.stdout], landed.stderr).toEqual([0, expect.stringContaining("have arrived outside")]);
  const [arrived] = recordsOf(scene.world, "step").flatMap(({ step: { event } }) =>
    event.kind === "movement" && event.report.kind === "arrived" ? [event.report.reason] : [],
  );
  expect(arrived).toMatch(/^closed by .+: the bank says so$/);
});

test("a payment is not closed as arrived beside an order of unknown outcome where something else has come that nobody knows", async () => {
  const scene = await inFlight("off");
  const order = await lostOrder(scene.world, "sell", false);
  credit(scene.world, "37");
  expectHidden(scene, order, await dressed(scene, { landed: true }));
});

test.each(["spent", "comes"] as const)("one of which another amount %s by then is left alone", async (what) => {
  const scene = await inFlight("off");
  const changed: Dress = (tool, flight) => ({
    async take(input, unless) {
      if (input.kind !== "payment") return tool.take(input, unless);
      const { movements } = tool.desk.executor;
      const other = { ...flight, [what]: flight[what].plus(Money.of("0.01", flight[what].asset)) };
      const booked = vi.spyOn(movements, "payment").mockReturnValue(other);
      return tool.take(input, unless).finally(() => booked.mockRestore());
    },
  });
  const late = await dressed(scene, { landed: true }, changed);
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining("listed with another amount since")]);
});

test("a payment is not closed as arrived beside an order that may have bought what came back", async () => {
  const scene = await inFlight("off");
  const order = await lostOrder(scene.world, "sell", true);
  credit(scene.world);
  expectHidden(scene, order, await dressed(scene, { landed: true }));
});
