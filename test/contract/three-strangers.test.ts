// Three venues that strangers wrote from the interface alone, with the habits of FIX, of Python and of .NET. A new user meets each with
// what doctor and rehearse say, and nothing else; then the bot trades for three minutes, and its books are the venue's.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { botStage, eventually } from "../cli/bot-stage.ts";
import { type Habits, strangerVenue } from "./stranger-venue.ts";

type Finding = {
  readonly check: string;
  readonly verdict: string;
  readonly cause: string;
  readonly next: string | null;
};

const FIX: Habits = {
  refusals: ["rejected", "failed", "refused", "killed"],
  feeCurrency: "VCHF",
  row: ({ at, clordid, ordid, symbol, side, isFilled, quantity, price }) => ({
    ...{ ClOrdID: clordid, OrderID: ordid, Symbol: symbol, Side: side, OrdStatus: isFilled ? "Filled" : "Rejected" },
    ...(isFilled ? { LastQty: quantity, LastPx: price } : { OrderQty: quantity }),
    TransactTime: new Date(at).toISOString(),
  }),
  listed: (_, rows) => ({ ExecutionReports: rows }),
};

const PYTHON: Habits = {
  signsBraces: true,
  pairs: ["VCHF/CHF"],
  quotes: (bid, ask) => ({ "VCHF/CHF": { bid: [bid, "1000"], ask: [ask, "1000"] } }),
  refusals: ["failed", "declined", "cancelled"],
  feeCurrency: "VCHF",
  row: ({ at, clordid, ordid, symbol, side, isFilled, quantity, price }) => ({
    ...{ client_order_id: clordid, order_id: ordid, market: symbol, side: side.toLowerCase() },
    ...{ state: isFilled ? "done" : "killed", created_at: Math.floor(at / 1_000) },
    ...(isFilled && { filled_qty: quantity, avg_price: price }),
  }),
  listed: (list, rows) => ({ [`${list}_list`]: rows }),
};

const NET: Habits = {
  pads: true,
  refusals: ["Rejected", "Expired", "NotFilled", "Denied"],
  feeCurrency: "VCHF",
  row: ({ at, clordid, ordid, symbol, side, isFilled, amounts }) => ({
    ...{ ClientOrderId: clordid, OrderId: ordid, Instrument: symbol, Side: side },
    ...{ OrderStatus: isFilled ? "Completed" : "Unfilled", DateTime: new Date(at).toISOString().replace("Z", "0000") },
    ...(amounts && {
      ...{ BoughtAmount: Number(amounts.bought), BoughtCurrency: amounts.bought_currency },
      ...{ SoldAmount: Number(amounts.sold), SoldCurrency: amounts.sold_currency },
    }),
  }),
  listed: (_, rows) => ({ Items: rows }),
};

const WALKER = `const walk = ({ state, sell }) => {
  state.count += 1;
  if (state.count % 4 !== 0) return undefined;
  const limit = state.count % 16 === 0 ? 0.9995 : 0.997;
  return sell("VCHF/CHF", { limit, size: 5 + (state.count % 100) / 100, reason: "a little, now and then" });
};
export default { name: "walker", wakes: ["timer", "quote"], state: () => ({ count: 0 }), decide: walk, blind: walk };
`;

const MINUTES_MS = 180_000;
const ROUNDS_MAX = 4;

test.concurrent.for([
  ["FIX", FIX],
  ["Python", PYTHON],
  ["NET", NET],
] as const)(
  "a venue with the habits of %s is met, rehearsed and traded without a look into it",
  async ([, habits], { onTestFinished }) => {
    let now = Date.now;
    const venue = await strangerVenue(() => now(), habits);
    onTestFinished(() => venue.close());
    const stage = await botStage(
      {
        venue: { baseUrl: venue.baseUrl },
        market: { par: { "VCHF/CHF": 50 }, parFair: ["VCHF/CHF"] },
        risk: { ...paperLimits, symbols: ["VCHF/CHF"], orderQuantityMax: { "VCHF/CHF": "1000" } },
        strategy: { use: "./walker.ts" },
      },
      onTestFinished,
    );
    writeFileSync(join(stage.folder, "walker.ts"), WALKER);
    const [scale = 1, epoch = 0] = (stage.env.PEGBOT_TIME_SCALE ?? "").split("@").map(Number);
    now = () => epoch + (Date.now() - epoch) * scale;
    venue.register(stage.publicKey);
    const file = join(stage.folder, "pegbot.yaml");
    const told: string[] = [];
    const asked = async (...args: string[]): Promise<readonly Finding[]> => {
      const got = await stage.ask(...args, "--json");
      const { findings = [] } = JSON.parse(got.stdout || "{}") as { readonly findings?: readonly Finding[] };
      const odd = findings.filter(({ verdict }) => ["problem", "warning"].includes(verdict));
      told.push(`${args.join(" ")}: ${got.code} ${got.stderr}`, ...odd.map((one) => JSON.stringify(one)));
      return got.code === 0 ? [] : odd;
    };
    // What a user knows of his venue: the grid of a pair, and that its list has those that trade.
    const heed = (found: readonly Finding[]): void => {
      const config = parse(readFileSync(file, "utf8"));
      const said = JSON.stringify(found);
      if (said.includes("venue.instruments"))
        config.venue.instruments = { "VCHF/CHF": { quantityMin: "1", quantityDecimals: 2, priceDecimals: 4 } };
      for (const [, name = "", value = ""] of said.matchAll(
        /venue\.profile\.(pairStatusMissing|timesWithoutZone): (\w+)/g,
      ))
        config.venue.profile = { ...config.venue.profile, [name]: value };
      writeFileSync(file, stringify(config));
    };
    heed(await asked("doctor"));
    for (let round = 0; ; round++) {
      const found = await asked("rehearse", "VCHF/CHF", "--yes", "--try-signatures");
      if (found.length === 0) break;
      expect(round, told.join("\n")).toBeLessThan(ROUNDS_MAX);
      heed(found);
    }
    const orders = (): number => venue.seen.filter((line) => line.includes("addOrder")).length;
    const rehearsed = orders();
    const until = now() + MINUTES_MS;
    const bot = stage.run();
    await eventually(async () => now() > until, "three minutes");
    bot.kill("SIGINT");
    await bot.ended();
    const status = JSON.parse((await stage.ask("status", "--json")).stdout);
    const about = `${told.join("\n")}\n${bot.stderr()}\n${JSON.stringify(status).slice(0, 2_000)}`;
    expect(orders() - rehearsed, about).toBeGreaterThan(8);
    expect(status.standing.state, about).toBe("ACTIVE");
    const books = Object.fromEntries(status.holdings.map((one: Record<string, string>) => [one.asset, one.held]));
    expect(books, about).toMatchObject({ CHF: venue.held("CHF"), VCHF: venue.held("VCHF") });
  },
);
