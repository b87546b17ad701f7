// What a person agreed to is the most that is carried out: for each operation, a preview that became worse is refused with the new
// one, and an equal or better one passes. The next owner carries out what the one before it has shown, so each asks anew.

import { expect, test } from "vitest";
import type { LastLine, OwnerRequest } from "../../src/app/owner/protocol.ts";
import { uuid7Of } from "../../src/app/owner/protocol.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { ok } from "../../src/domain/result.ts";
import { personHere } from "../../src/operation/person.ts";
import { MONEY_OPERATIONS } from "../../src/operation/table.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import { carrier, configOf, MINUTE, opened, TREASURY } from "./rebalance-world.ts";
import { type Asking, CONFIG, KEY, recordsOf, SLOW_BOT, TreasuryWorld, VCHF, whitelist } from "./world.ts";

const DAY = 24 * 60 * MINUTE;
const NEVER = { settlement: { medianMs: 90 * DAY, sigma: 0, minMs: 90 * DAY, maxMs: 90 * DAY } };

type Scene = {
  readonly world: TreasuryWorld;
  readonly input: object;
  readonly config?: Asking["config"];
  /** What happens between preview and execution, and the configuration of the owner then. */
  readonly worse: () => Asking["config"] | undefined;
  readonly why: RegExp;
  readonly better?: () => Asking["config"] | undefined;
  readonly isDone: () => boolean;
};

const PLACES = { destinations: CONFIG.treasury.destinations, rails: CONFIG.treasury.rails };

const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  async order() {
    const world = await opened({ ...SLOW_BOT, limits: { orderValueMax: Quantity.of("5000") } });
    const leave = (value: string) => () => {
      world.killBot();
      world.bot({ ...SLOW_BOT, config: configOf(), limits: { orderValueMax: Quantity.of(value) } });
      return undefined;
    };
    const input = { side: "sell", symbol: PAIR, quantity: "60000", price: "0.985" };
    const isDone = (): boolean => world.calls("addOrder").length > 0;
    return {
      world,
      input,
      worse: leave("4000"),
      why: /quantity would be 4[\d.]+, agreed was 5/,
      better: leave("6000"),
      isDone,
    };
  },

  async mint() {
    const world = await opened();
    const costing = (feeBpsMax: number) => configOf({ ...PLACES, mint: { ...TREASURY.mint, feeBpsMax } });
    return {
      world,
      input: { asset: "VCHF", chain: "ETH", quantity: "118000", exact: true },
      config: costing(5),
      worse: () => costing(8),
      why: /would take up to 118094\.4 CHF, agreed was 118059 CHF/,
      better: () => costing(4),
      isDone: () => world.calls("mintTokens").length > 0,
    };
  },

  async rail() {
    const world = await opened();
    const house = { kind: "bank", account: "CH5604835012345678009" };
    return {
      world,
      input: { direction: "off", template: "vchf-out" },
      config: configOf(PLACES),
      worse: () => configOf({ ...PLACES, destinations: { ...PLACES.destinations, house } }),
      why: /destination would be CH5604835012345678009, agreed was CH9300762011623852957/,
      isDone: () => world.calls("addPaymentRail").length > 0,
    };
  },

  async rebalance() {
    const world = await opened(carrier(configOf()));
    const wanting = (stepCost: string) => configOf({ planning: { ...TREASURY.planning, stepCost } });
    return {
      world,
      input: {},
      config: wanting("2"),
      worse: () => wanting("60"),
      why: /it would take up to .* CHF, agreed was/,
      better: () => wanting("1"),
      isDone: () => recordsOf(world, "plan").length > 0,
    };
  },

  async resolve() {
    const world = await TreasuryWorld.open(1, NEVER, CORE_FUNDS);
    const bot = world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    expect((await world.end(world.rail("off", "vchf-out"))).code).toBe(0);
    const [rail] = recordsOf(world, "intent");
    const state = world.reader().executor.get(rail?.id ?? "")?.state as { readonly receipt: Rail };
    expect(world.venue.venue.pay(state.receipt.railId, Quantity.of("100"), world.moment()).ok).toBe(true);
    await world.pass(2 * 60 * MINUTE);
    bot.kill();
    await world.pass(DAY);
    const flights = () => [...world.reader().books.accounts.flights()];
    const { venue } = world.venue;
    const { payments } = venue;
    return {
      world,
      input: { id: flights()[0]?.id, as: "landed", reason: "the bank says so" },
      worse() {
        venue.payments = (...given) => {
          const listed = payments(...given);
          return (listed.ok ? ok(listed.value.map((row) => ({ ...row, status: "held" }))) : listed) as typeof listed;
        };
        return undefined;
      },
      why: /payment would be .*"held", agreed was /,
      isDone: () => flights().length === 0,
    };
  },

  async acknowledge() {
    const world = await opened();
    whitelist(world);
    const input = { reason: "it was us" };
    expect(await told(world, "acknowledge", input, { step: "preview" })).toMatchObject({ kind: "answer" });
    const add = (label: string, address: string) => () => {
      whitelist(world, { label, address });
      return undefined;
    };
    add("second", `0x${"2".repeat(40)}`)();
    return {
      world,
      input,
      worse: add("third", `0x${"3".repeat(40)}`),
      why: /(frozen|whitelist) would be /,
      isDone: () => recordsOf(world, "rails").some(({ state }) => state === "released"),
    };
  },

  async adopt() {
    const world = await opened();
    world.killBot();
    const credit = () => {
      expect(world.venue.venue.credit(KEY, VCHF, Quantity.of("7"), world.moment()).ok).toBe(true);
      return undefined;
    };
    credit();
    return {
      world,
      input: { reason: "a wire" },
      worse: credit,
      why: /amounts would be 14 VCHF, agreed was 7 VCHF/,
      isDone: () => recordsOf(world, "adoption").length > 1,
    };
  },
};

async function told(
  world: TreasuryWorld,
  name: string,
  input: object,
  request: Partial<OwnerRequest>,
  config?: Asking["config"],
): Promise<LastLine> {
  const isHeld = MONEY_OPERATIONS.find((one) => one.name === name)?.begins === "restored";
  let last: LastLine | undefined;
  const command = world.command(
    async (ask) => {
      last = await ask(name, { by: personHere(), input, ...request }, () => undefined);
      return 0;
    },
    { isHeld, ...(config && { config }) },
  );
  const { stderr } = await world.end(command);
  if (last === undefined) throw new Error(stderr);
  return last;
}

type Preview = Extract<LastLine, { kind: "preview" }>["preview"];

async function shown({ world, input, config }: Scene, name: string): Promise<Preview> {
  const last = await told(world, name, input, { step: "preview" }, config);
  if (last.kind !== "preview") throw new Error(`a preview was expected, was ${JSON.stringify(last)}`);
  return last.preview;
}

let ids = 0;

function execute({ world, input }: Scene, name: string, preview: Preview | undefined, config: Asking["config"]) {
  if (preview === undefined) throw new Error("a preview was expected");
  const { shown: _, ...accepted } = preview;
  const id = uuid7Of(world.clock.now(), Buffer.from(String(++ids).padStart(10, "0")));
  return told(world, name, input, { step: "execute", id, accepted }, config);
}

/** What a person types is all that is agreed on: nothing of it can become worse. */
const FIXED = ["conversion", "convert"];

test("every other operation that moves money or the books has a scene here", () => {
  expect([...Object.keys(SCENES), ...FIXED].toSorted()).toEqual(MONEY_OPERATIONS.map(({ name }) => name).toSorted());
});

test.each(Object.entries(SCENES))(
  "%s: worse than agreed is refused with the new preview, which passes then",
  async (name, make) => {
    const scene = await make();
    const before = await shown(scene, name);
    const config = scene.worse() ?? scene.config;
    const refused = await execute(scene, name, before, config);
    expect(refused, JSON.stringify(refused)).toMatchObject({
      kind: "failed",
      exit: 3,
      error: expect.stringMatching(scene.why),
    });
    expect([scene.isDone(), refused.kind === "failed" && refused.preview?.digest !== before.digest]).toEqual([
      false,
      true,
    ]);
    const again = await execute(scene, name, refused.kind === "failed" ? refused.preview : undefined, config);
    expect(again, JSON.stringify(again)).toMatchObject({ kind: "answer", value: { exit: 0 } });
    expect(scene.isDone()).toBe(true);
  },
);

test.each(["order", "mint", "rebalance"])("%s: better than agreed passes", async (name) => {
  const scene = (await SCENES[name]?.()) as Scene;
  const before = await shown(scene, name);
  const passed = await execute(scene, name, before, scene.better?.() ?? scene.config);
  expect(passed, JSON.stringify(passed)).toMatchObject({ kind: "answer", value: { exit: 0 } });
  expect(scene.isDone()).toBe(true);
});
