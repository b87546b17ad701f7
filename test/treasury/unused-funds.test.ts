// Fees with dates, tiers and minima, and the charge on funds that were wired in and not spent: warned of before money moves, from
// what the journal has booked.

import { describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { millis } from "../../src/domain/time.ts";
import { Volumes } from "../../src/domain/volumes.ts";
import { treasuryTermsOf } from "../../src/operation/terms/treasury-terms.ts";
import { feeNow } from "../../src/treasury/plan/fees.ts";
import { propose } from "../../src/treasury/plan/routes.ts";
import { railRoute } from "../../src/treasury/plan/transfer-routes.ts";
import { unusedCharge } from "../../src/treasury/plan/unused-funds.ts";
import { mistakesOf } from "../config/complete.ts";
import { SHORT_PROTOCOL } from "../support/bot-core.ts";
import { band, holding, rail, situation } from "./plan/market-stage.ts";
import { carrier, configOf, MINUTE, rebalancing } from "./rebalance-world.ts";
import { CHF, CONFIG, HOME, KEY, recordsOf, SLOW_BOT, TreasuryWorld, VCHF, whitelist } from "./world.ts";

const { destinations, rails } = CONFIG.treasury;
const RULE = { above: "100000", currency: "CHF", bps: 300, spentBps: 7_500 };
const planning = (rule: object) => ({
  destinations,
  rails,
  targets: { VCHF: { high: "60000" } },
  planning: { orders: { slippageBps: 99 }, rails: { "vchf-out": { minimum: "1000" } }, unused: [rule] },
});
const QUICK = { settlement: { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE } };

describe("unused funds", () => {
  /** 150,000 at the opening, a payment of 5,000 on an on-ramp, a wire of 40,000.37 by adoption; orders spend some 20,000. */
  async function wired() {
    const funds = { CHF: "150000", VCHF: "500000" };
    const world = await TreasuryWorld.open(1, QUICK, funds, SHORT_PROTOCOL);
    world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    const bought = await world.end(world.order({ quantity: "20000" }));
    expect(bought.code, bought.stderr).toBe(0);
    whitelist(world, { address: HOME, label: "Home" });
    const ramp = await world.end(world.rail("on", "vchf-home"));
    expect(ramp.code, ramp.stderr).toBe(0);
    const [intent] = recordsOf(world, "intent").filter(({ request }) => request.kind === "rail");
    const state = world.reader().executor.get(intent?.id ?? "")?.state as { readonly receipt: Rail } | undefined;
    expect(world.venue.venue.pay(state?.receipt.railId ?? "", Quantity.of("5000"), world.moment()).ok).toBe(true);
    await world.pass(90 * MINUTE);
    world.killBot();
    expect(world.venue.venue.credit(KEY, CHF, Quantity.of("40000.37"), world.moment()).ok).toBe(true);
    const adopted = await world.end(world.asks("adopt", { reason: "a wire" }, { isHeld: true }), 60 * MINUTE);
    expect(adopted.code, adopted.stderr).toBe(0);
    await world.end(world.asks("resume", { reason: "looked" }, { isHeld: true })).catch(() => undefined);
    return world;
  }

  /** What orders took, by the journal's own records of fills. */
  function spentByOrders(world: TreasuryWorld): number {
    return recordsOf(world, "step").reduce((sum, { step: { event } }) => {
      if (event.kind !== "report" || event.report.kind !== "filled" || event.report.confirmed) return sum;
      const { sold, fee } = event.report.fill;
      return sum + sold.toNumber() + (fee.asset === sold.asset ? fee.toNumber() : 0);
    }, 0);
  }

  test("cost what the terms say, to the cent, and the previews of rail and rebalance say so before anything is sent", async () => {
    const world = await wired();
    const config = configOf(planning(RULE));
    world.bot(carrier(config));
    await world.pass(3 * MINUTE);
    const sent = world.calls("addPaymentRail").length;
    // Wired in are 150,000 + 5,000 + 40,000.37; of that 3 % above 100,000 are 2,850.0111, and 75 % are 146,250.2775.
    const spent = spentByOrders(world) + 5_000;
    const cents = (amount: number): string =>
      amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const told = [
      "unused funds cost 2,850.01 CHF: 3 % of what was wired in above 100,000.00 CHF while less than 75 % of it is spent;",
      `wired in 195,000.37 CHF, spent ${cents(spent)} CHF (12.8 %).`,
      `Nothing is charged once ${cents(Math.ceil((146_250.2775 - spent) * 100) / 100)} CHF more are spent: convert or mint first`,
    ].join(" ");
    const off = await world.end(world.rail("off", "vchf-out", {}, { config, preview: true }));
    expect([off.code, off.stderr]).toEqual([0, expect.stringContaining(`warning  with a payment on it ${told}`)]);
    const on = await world.end(world.rail("on", "vchf-home", { another: true }, { config, preview: true }));
    expect([on.code, on.stderr]).toEqual([0, expect.stringContaining(`warning  with a payment on it ${told}`)]);
    const plan = await world.end(rebalancing(world, config));
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining(`warning: with off-ramp vchf-out ${told}`)]);
    // The charge is a part of what that route costs.
    expect(plan.stdout).toMatch(/off-ramp vchf-out {2,}2,8[5-9]\d\.\d\d/);
    expect(world.calls("addPaymentRail").length).toBe(sent);
  });

  const unused = [{ from: undefined, until: undefined, bps: 300, spentBps: 7_500, above: Quantity.of("100000") }].map(
    (rule) => ({ ...rule, currency: "USD" as Asset }),
  );

  test("are warned of before the wire that passes the threshold, counted in its currency at the rates of now", () => {
    const volumes = new Volumes();
    volumes.adopted(Money.of("70000", CHF));
    // 100,000 USD are 80,000 CHF, by the coin of it: with 10,000 nothing is charged, with 50,000.10 CHF 3 % of 40,000.10.
    const warned = (low: string) =>
      propose(
        situation({
          ...{ unused, volumes, instruments: [], mints: [], bands: [band("VCHF", low)] },
          holdings: [holding("VCHF", "0"), holding("CHF@BANK", "200000")],
          rails: [{ ...rail("on-ramp"), feeBps: 0, minimum: Quantity.of("1") }],
        }),
      ).warnings;
    expect(warned("10000")).toEqual([]);
    expect(warned("50000")).toEqual([
      expect.stringMatching(
        /^with on-ramp from-bank of 50000 CHF unused funds cost 1,200.00 CHF: .* 100,000.00 USD .*wired in 120,000.00 CHF, spent 50,000.00 CHF \(41.7 %\)\. .*40,000.00 CHF more/,
      ),
    ]);
  });

  test("are charged on the way out alone: an on-ramp to a wallet of ours is priced without them", () => {
    const volumes = new Volumes();
    volumes.adopted(Money.of("300000", CHF));
    const { plan } = propose(
      situation({
        ...{ unused, volumes, instruments: [], mints: [], bands: [band("VCHF@ETH", "10000")] },
        holdings: [holding("VCHF@ETH", "0"), holding("CHF@BANK", "200000")],
        rails: [{ ...rail("on-ramp"), wallet: "ETH", feeBps: 0 }],
      }),
    );
    expect(plan.steps.map(({ lost }) => String(lost))).toEqual(["0"]);
  });

  test("cost nothing once enough is spent, before the first day, or where nothing above the threshold came in", () => {
    const charged = (wires: string, spent: string, change: object = {}) => {
      const volumes = new Volumes();
      volumes.adopted(Money.of(wires, CHF));
      volumes.departed({ door: "mint", spent: Money.of(spent, CHF), comes: Money.of(spent, VCHF) });
      const found = unusedCharge(
        unused.map((rule) => ({ ...rule, ...change })),
        { ...situation({}), volumes },
      );
      return typeof found === "object" ? String(found.charge) : found;
    };
    expect(charged("180000", "134999.99")).toBe("3000");
    expect(charged("180000", "135000")).toBeUndefined();
    expect(charged("80000", "0")).toBeUndefined();
    expect(charged("180000", "0", { from: millis(Date.UTC(2027, 0, 1)) })).toBeUndefined();
    expect(charged("180000", "0", { currency: "JPY" })).toMatch(/cannot be told: a rate is missing of JPY/);
  });

  test("are charged on what came in and not on what was given back", () => {
    const volumes = new Volumes();
    const ramp = { door: "payment", spent: Money.zero(VCHF), comes: Money.of("5000", VCHF) } as const;
    const mint = { door: "mint", spent: Money.of("700", CHF), comes: Money.of("700", VCHF) } as const;
    for (const one of [ramp, mint]) volumes.departed(one);
    for (const one of [ramp, mint]) volumes.returned(one);
    volumes.adopted(Money.of("-10", CHF));
    volumes.adopted(Money.of("10", VCHF));
    expect([volumes.of("wire"), volumes.of("on-ramp").map(String), volumes.of("mint").map(String)]).toEqual([
      [],
      ["0"],
      ["0"],
    ]);
    expect(new Volumes(volumes.save()).save()).toEqual(volumes.save());
  });
});

describe("a fee", () => {
  const fees = [
    { from: "2026-07-01", until: "2026-09-30", bps: 30, fixed: "30", minimum: "12" },
    {
      from: "2026-10-01",
      bps: 20,
      tiers: [
        { above: "1000", bps: 10 },
        { above: "5000", bps: 0 },
      ],
    },
  ];
  const config = (rail: object) => ({
    treasury: { destinations, rails, planning: { rails: { "vchf-out": { minimum: "1000", ...rail } } } },
  });
  const parsed = configSchema.parse({
    venue: CONFIG.venue,
    key: { file: "./key.pem" },
    ...config({ feeBps: 5, feeFixed: "3", fees }),
  });
  const [terms] = treasuryTermsOf(parsed).rails;
  if (terms === undefined) throw new Error("there must be a rail");
  const on = (day: string, moved = "0") => {
    const volumes = new Volumes();
    volumes.add("off-ramp", Money.of(moved, VCHF));
    return { ...situation({}), volumes, now: millis(Date.parse(day)) };
  };
  const fee = (...at: Parameters<typeof on>): string => {
    const { bps, fixed, least } = feeNow(terms, "off-ramp", on(...at));
    return `${bps} bp, ${fixed}, at least ${least}`;
  };

  test("holds from its first day to its last one, and outside of all the plain one does", () => {
    const days = ["2026-06-30T23:59:59Z", "2026-07-01", "2026-09-30T23:59:59Z", "2026-10-01"];
    expect(days.map((day) => fee(day))).toEqual([
      "5 bp, 3, at least 0",
      "30 bp, 30, at least 12",
      "30 bp, 30, at least 12",
      "20 bp, 0, at least 0",
    ]);
  });

  test("falls with what the journal has moved before, above a tier and not at it", () => {
    const moved = ["1000", "1000.01", "5000", "6000"].map((amount) => fee("2026-11-01", amount));
    expect(moved.map((text) => text.split(",")[0])).toEqual(["20 bp", "10 bp", "10 bp", "0 bp"]);
  });

  test("has its least in what a route brings and costs: below 4,000 of 30 bp it is 12", () => {
    const around = { ...on("2026-08-01"), available: () => Money.of("100000", VCHF) };
    const route = railRoute(terms, around);
    const brought = ["2000", "4000", "10000"].map((amount) => {
      const bands = [band("VCHF", undefined, "0")];
      const rest = { holdings: [holding("VCHF", amount), holding("CHF@BANK", "0")], instruments: [], mints: [] };
      const { plan } = propose({ ...around, ...rest, bands, rails: [terms] });
      return plan.steps.map(({ brings, lost }) => `${brings}, lost ${lost}`);
    });
    // 2,000 - 12 - 30; 4,000 - 12 - 30; 10,000 - 30 - 30.
    expect(brought).toEqual([["1958, lost 42"], ["3958, lost 42"], ["9940, lost 60"]]);
    expect(route.slices[0]?.min).toBe(1_000);
    // And what is needed there arrives: 3,970 with 30 fixed, 4,012 with the least of 12.
    const need = { holdings: [holding("VCHF", "9000"), holding("CHF@BANK", "0")], instruments: [], mints: [] };
    const { plan } = propose({ ...around, ...need, bands: [band("CHF@BANK", "3970")], rails: [terms] });
    expect(plan.steps.map(({ takes, brings }) => `${takes} for ${brings}`)).toEqual(["4013 for 3970.961"]);
  });

  test.each([
    ["until must not be before from", [{ from: "2026-02-01", until: "2026-01-31" }]],
    ["must be a day", [{ from: "2026-02-30" }]],
  ])("is refused with its line: %s", (rule, wrong) => {
    const [mistake = "", ...more] = mistakesOf(config({ fees: wrong }));
    expect([mistake, more]).toEqual([expect.stringMatching(/^pegbot.yaml:\d+/), []]);
    expect(mistake).toContain(rule);
  });
});
