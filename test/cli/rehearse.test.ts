// `rehearse` against simulators that speak in many ways and fail in many ways: it finds the profile or names the switch,
// sends nothing without a yes, and every lost or strange answer ends in words that say what to do.

import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, type TestContext, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Session } from "../../src/cli/contact/orders.ts";
import { pageText, withProfile } from "../../src/cli/contact/page.ts";
import { createRandom } from "../../src/domain/random.ts";
import { type Profile, presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";
import { profileYaml } from "../../src/exchange/profile-candidates.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { DECISIONS, mixture, UNSEEN } from "../exchange/conformance.ts";
import { VCHF } from "../support/wire.ts";
import { useOwnState } from "./doctor-stage.ts";
import { type RehearsalStage, rehearsalStage } from "./rehearse-stage.ts";

useOwnState();

/** What is asked of the venue in tests is shown at once, or is late for good. */
const SOON = { yes: true, confirmWithin: 3_000 };

function profileIn(stage: RehearsalStage): Profile {
  return resolveProfile(profileSchema.parse(parse(stage.config()).venue.profile));
}

describe("a venue", () => {
  test.concurrent.for(["contract", "observed"] as const)(
    "of the profile %s shows every scene",
    async (preset, context) => {
      const stage = await rehearsalStage(context, { spoken: presets[preset] });
      const played = await stage.play({ yes: true, trySignatures: true });
      expect(played.code, played.stderr + played.stdout).toBe(0);
      // The client reads both shapes of answers, so that nothing shows which it is.
      expect(profileIn(stage)).toEqual({ ...presets[preset], answers: "contract" });
      expect(await stage.orders()).toBe(3);
      for (const check of ["order", "trades", "orders", "balances", "no fill", "shapes"])
        expect(played.said(check), check).toMatch(/^ok: /);
      expect(played.said("orders")).toMatch(
        /-1 is listed as Filled.*\n.*-2 is listed as Rejected.*\n.*-3 is listed as Rejected/,
      );
      expect(played.said("switch on")).toContain("ok: orders (pegbot run): yes");
      expect(played.said("switch on")).toMatch(/ok: release of lost orders without a person: yes, up to [0-9.]+ CHF/);
      expect(played.said("switch on")).toContain("skipped: mints: not yet");
      const page = played.page ?? "";
      const titles = ["What may be switched on", "What was sent", "The profile of this venue", "Still unknown"];
      expect(titles.filter((title) => !page.includes(`## ${title}\n`))).toEqual([]);
      expect(page).toMatch(/- `buy 0\.1 VCHF\/CHF at [0-9.]+: accepted \(T-/);
      expect(page).toContain(`  profile: ${profileYaml(profileIn(stage))}\n`);
    },
  );

  test.concurrent("shows a mint and a rail on request", async (context) => {
    const yaml = stringify({
      treasury: {
        destinations: { house: { kind: "bank", account: "CH9300762011623852957" } },
        rails: {
          out: { direction: "off", asset: "VCHF", chain: "ETH", to: "house", sender: { name: "A AG", country: "CH" } },
        },
      },
    });
    const stage = await rehearsalStage(context, { yaml, funds: { CHF: "1000000", VCHF: "10000" } });
    const played = await stage.play({ ...SOON, mint: "VCHF@ETH=150000", rail: "off:out" });
    expect(played.code, played.stderr + played.stdout).toBe(0);
    expect(played.said("switch on")).toContain("ok: mints: yes");
    expect(played.said("switch on")).toContain("ok: rails: yes");
    expect(played.page).toContain("mint VCHF@ETH=150000: accepted");
  });
});

/** As a person who knows the venue decides each switch that is named. */
async function meetMixture(context: TestContext, seed: number): Promise<void> {
  const random = createRandom(seed);
  const spoken = mixture(random);
  const { formNumbers } = spoken;
  const configured = { ...presets.contract, formNumbers };
  const stage = await rehearsalStage(context, { spoken, configured, feeBps: random.integer(0, 1) * 10 });
  const told: string[] = [];
  for (let round = 0; ; round++) {
    const played = await stage.play({ yes: true, trySignatures: true });
    if (played.code === 0) {
      await tradesElsewhere(stage, played.profile ?? "", seed);
      break;
    }
    const profile = profileIn(stage);
    const named = DECISIONS.filter(
      (name) => played.stdout.includes(`venue.profile.${name}`) && profile[name] !== spoken[name],
    );
    told.push(`exit code ${played.code}`, ...["shapes", "profile", "rehearsal"].map(played.said));
    const about = `seed ${seed}, round ${round}: ${JSON.stringify(spoken)}\n${told.join("\n")}`;
    expect(named.length > 0 && round < DECISIONS.length && (await stage.orders()) <= 3, about).toBe(true);
    const next = { ...profile, ...Object.fromEntries(named.map((name) => [name, spoken[name]])) };
    writeFileSync(stage.configFile, withProfile(stage.config(), profileYaml(next)) ?? "");
  }
  const found = profileIn(stage);
  // A switch that nothing has shown is left at its default: the rows of this venue state fees and times.
  const isIdle = (name: keyof Profile): boolean =>
    UNSEEN.has(name) ||
    (DECISIONS.some((one) => one === name) && found[name] === "none") ||
    (name === "signingOrder" && spoken.emptyCall === "empty" && spoken.signingSeparator === "") ||
    (name === "feeCurrencyMissing" && FITS_TOO[spoken[name]] === found[name]);
  const names = (Object.keys(spoken) as (keyof Profile)[]).filter((name) => !isIdle(name));
  const shown = (of: Profile) => Object.fromEntries(names.map((name) => [name, of[name]]));
  expect(shown(found), `seed ${seed}`).toEqual(shown(spoken));
}

/** Another account of the venue trades with the shared profile alone, and learns nothing that is not in it. */
async function tradesElsewhere(stage: RehearsalStage, profile: string, seed: number): Promise<void> {
  const other = await stage.imported(profile);
  const before = other.config();
  const again = await other.play({ yes: true });
  expect([again.code, other.config()], `seed ${seed}: ${again.stdout}`).toEqual([0, before]);
  expect(again.said("balances")).toContain("they show the fill and its fee exactly");
}

/** Of a buy the base is what is bought, and the quote what is sold: both fit, and the page says so. */
const FITS_TOO: Readonly<Record<string, string>> = { bought: "base", sold: "quote" };

test.concurrent("a random mixture of switches is found, or the switch is named that decides", async (context) => {
  const { PEGBOT_MIXTURES = "3", PEGBOT_SEED = "1" } = process.env;
  for (let i = 0; i < Number(PEGBOT_MIXTURES); i++) await meetMixture(context, Number(PEGBOT_SEED) + i);
});

test.concurrent("a shared profile has nothing of the account, whatever the venue calls its states", async (context) => {
  const stage = await rehearsalStage(context, { funds: { CHF: "98765.4321", VCHF: "10000", USDC: "10000" } });
  const [address, label] = ["0x52908400098527886E0F7030069857D2E4169EE7", "acme7-treasury"];
  const travelRule = { originator: "a", beneficiary: "b" };
  const listed = { asset: VCHF, blockchain: "ETH", address, label, status: "Confirmed", travelRule } as const;
  await stage.server.writer.perform((venue) => venue.whitelist(stage.publicKey, listed));
  await stage.faults([{ fault: "other-words", words: { Filled: "done-9f31c2e7", Rejected: "state-of-acme7" } }]);
  await stage.play(SOON);
  const played = await stage.play(SOON);
  const text = readFileSync(played.profile ?? "", "utf8");
  const own = [stage.publicKey, address, label, "98765", "c2e7", "T-", "acme7"];
  expect(own.filter((one) => text.includes(one))).toEqual([]);
  expect(text).not.toMatch(/\d{5}|[0-9a-f]{12}/i);
  expect(text).toContain("left out: it may name the account");
  // A second one of the same day gets a name of its own.
  expect(played.profile).toMatch(/profiles\/simulator-\d{4}-\d\d-\d\d-2\.yaml$/);
});

describe("an own fill decides", () => {
  test.concurrent.for([
    ["a fee without a currency", { feeCurrencyMissing: "quote" }, 10, "feeCurrencyMissing: sold } as well"],
    ["a fee that is missing", { feeMissing: "zero" }, 0, undefined],
  ] as const)("%s", async ([_, change, feeBps, others], context) => {
    const stage = await rehearsalStage(context, { spoken: { ...presets.contract, ...change }, feeBps });
    const played = await stage.play(SOON);
    expect(played.code, played.stderr + played.stdout).toBe(0);
    expect(profileIn(stage)).toMatchObject(change);
    if (others === undefined) expect(played.said("profile")).toBe("");
    else expect(played.said("profile")).toContain(others);
    expect(await stage.orders()).toBe(3);
  });
});

describe("fills and balances decide", () => {
  test.concurrent("that the leg received has its fee inside", async (context) => {
    const stage = await rehearsalStage(context, { spoken: { ...presets.contract, feeInside: "quote" } });
    const played = await stage.play({ ...SOON, sell: true });
    expect(played.code, played.stderr + played.stdout).toBe(0);
    expect(played.said("balances")).toContain("they show the fill and its fee exactly");
    expect(profileIn(stage).feeInside).toBe("quote");
  });

  // The limit is 1.0009, 30 % of a collar of 30 bp; paid are 1.0007 and 1.0015.
  test.concurrent.for([
    ["within the limit it goes on", { feeBps: 2, code: 0, orders: 3 }],
    ["beyond the limit it halts", { feeBps: 10, code: 5, orders: 1 }],
  ] as const)(
    "that the leg paid has its fee inside, and where it is then %s",
    async ([_, { feeBps, code, orders }], context) => {
      const price = { bid: 0.9995, ask: 1.0005 };
      const stage = await rehearsalStage(context, {
        spoken: { ...presets.contract, feeInside: "quote" },
        price,
        feeBps,
      });
      const played = await stage.play(SOON);
      expect(played.code, played.stderr + played.stdout).toBe(code);
      if (code === 5) expect(played.said("rehearsal")).toContain("pegbot resume");
      expect(profileIn(stage).feeInside).toBe("quote");
      expect(await stage.orders()).toBe(orders);
    },
  );

  test.concurrent("that a fill pays its limit, by a second one 20 bp further off", async (context) => {
    const stage = await rehearsalStage(context, { settings: { fillsAt: "limit" } });
    const played = await stage.play(SOON);
    expect(played.code, played.stderr + played.stdout).toBe(0);
    expect(profileIn(stage).fillsAt).toBe("limit");
    expect(await stage.orders()).toBe(4);
  });
});

describe("an order", () => {
  test.concurrent.for([
    ["whose answer is lost", { fault: "reset-after", on: "addOrder", nth: 1 }],
    ["answered by a 502 inside a 200", { fault: "error-inside", on: "addOrder", nth: 1 }],
  ] as const)("%s is looked for until it is known, and then the rehearsal goes on", async ([_, fault], context) => {
    const stage = await rehearsalStage(context);
    await stage.faults([fault]);
    const played = await stage.play({ yes: true, confirmWithin: 15_000 });
    expect(played.code, played.stderr + played.stdout).toBe(0);
    expect(played.said("order")).toMatch(/^warning: T-\w+-1: money may have moved/);
    expect(played.said("balances")).toContain("they show the fill and its fee exactly");
    expect(await stage.orders()).toBe(3);
  });

  test.concurrent("that never arrived stays open, and nothing else is sent", async (context) => {
    const stage = await rehearsalStage(context);
    await stage.faults([{ fault: "reset-before", on: "addOrder", nth: 1 }]);
    const [first, second] = [await stage.play(SOON), await stage.play(SOON)];
    expect([first.code, second.code]).toEqual([4, 4]);
    expect(second.said("rehearsal")).toMatch(/what became of it is not known yet -> .*pegbot resolve T-\w+-1 --filled/);
    expect(await stage.orders()).toBe(1);
  });

  test.concurrent("answered with a strange status is explained by the balances, and its word is written", async (context) => {
    const stage = await rehearsalStage(context);
    await stage.faults([{ fault: "other-words", words: { Filled: "Done" } }]);
    const played = await stage.play(SOON);
    expect(played.said("order")).toContain("ordstatus must be Filled or come with an error, was Done");
    // A word alone halts nothing.
    expect(played.code).toBe(0);
    expect(profileIn(stage).statuses).toEqual({ Done: "Filled" });
    expect(await stage.orders()).toBe(3);
  });

  test.concurrent("that filled ends with 4 where the balances cannot be read afterwards", async (context) => {
    const stage = await rehearsalStage(context);
    // Doctor and the start have read them before.
    const nth = Array.from({ length: 60 }, (_, i) => i + 4);
    await stage.faults([{ fault: "status", on: "accountBalance", status: 403, nth }]);
    const played = await stage.play(SOON);
    expect(played.said("rehearsal")).toContain("balances could not be read");
    expect(played.code, played.stderr + played.stdout).toBe(4);
    expect(await stage.orders()).toBe(1);
  });

  test.concurrent.for([
    ["sounds unfinished", { Filled: "Processing" }, "listed as Processing, which does not tell its end"],
    ["stands for both ends", { Filled: "Closed", Rejected: "Closed" }, "is listed as Filled, and was Rejected"],
  ] as const)("whose word in the list of orders %s teaches nothing", async ([_, words, said], context) => {
    const stage = await rehearsalStage(context);
    await stage.faults([{ fault: "other-words", on: "queryOrders", words }]);
    const played = await stage.play(SOON);
    expect(played.code, played.stderr + played.stdout).toBe(1);
    expect(played.said("orders")).toContain(said);
    expect(profileIn(stage).statuses).toEqual({});
  });
});

test.concurrent("a key without the right to queryTrades sends nothing", async (context) => {
  const stage = await rehearsalStage(context);
  await stage.faults([{ fault: "status", on: "queryTrades", status: 403 }]);
  const played = await stage.play(SOON);
  expect(played.code).toBe(1);
  expect(played.said("history")).toContain("ask the venue's support for the right to it");
  expect(played.said("rehearsal")).toContain("nothing was sent");
  expect(await stage.orders()).toBe(0);
});

describe("nothing is sent", () => {
  test.concurrent("without a yes", async (context) => {
    const stage = await rehearsalStage(context);
    expect((await stage.play({}, { interactive: false })).said("rehearsal")).toContain("--yes confirms");
    const typed = await stage.play({}, { answers: ["no"] });
    expect(typed.code).toBe(2);
    expect(typed.asked).toEqual(["Type yes to go on"]);
    expect(await stage.orders()).toBe(0);
    expect((await stage.play({ confirmWithin: 1_500 }, { answers: ["yes"] })).code).toBe(0);
    expect(await stage.orders()).toBe(3);
  });

  test.concurrent("in production without the flag and a cap, and in shadow", async (context) => {
    const live = { mode: "live", confirm: "trade real money on production", risk: paperLimits };
    const at = { venue: { baseUrl: "https://venue.example/api/v1/", environment: "production" }, key: { env: "KEY" } };
    const stage = await rehearsalStage(context, { text: stringify({ ...live, ...at }) });
    for (const options of [{}, { production: true }, { valueMax: "50" }])
      expect((await stage.play({ yes: true, ...options })).code).toBe(2);
    const shadow = await rehearsalStage(context, { text: stringify({ ...live, ...at, mode: "shadow" }) });
    expect((await shadow.play({ yes: true, production: true, valueMax: "50" })).code).toBe(2);
  });

  test.concurrent("above the cap, for each order and for all together", async (context) => {
    const small = await rehearsalStage(context);
    const none = await small.play({ ...SOON, valueMax: "0.05" });
    expect(none.code).toBe(3);
    expect(none.said("rehearsal")).toMatch(/what may move is worth 0\.1\d*, limit is 0\.05 CHF \(--value-max\)/);
    // 0.1 at 1.0015 and 20 bp of fee are 0.10035.
    expect((await small.play({ ...SOON, valueMax: "0.1002" })).code).toBe(3);
    expect(await small.orders()).toBe(0);
    const stage = await rehearsalStage(context);
    const one = await stage.play({ ...SOON, valueMax: "0.15" });
    expect(one.code).toBe(3);
    expect(one.said("balances")).toContain("they show the fill");
    expect(await stage.orders()).toBe(1);
    const sold = await rehearsalStage(context);
    expect((await sold.play({ ...SOON, sell: true, valueMax: "0.05" })).code).toBe(3);
    expect((await sold.play({ ...SOON, sell: true, valueMax: "0.35" })).code).toBe(0);
    expect(await sold.orders()).toBe(3);
  });
});

describe("the profile goes into a configuration", () => {
  const yaml = "{ preset: contract, keys: camel }";
  test.each([
    ["in place of a value", "a: 1 # x\nvenue:\n  profile: contract # mine\n  b: 2\n"],
    ["in place of a mapping", "venue:\n  profile:\n    preset: observed\n  b: 2 # y\n"],
    ["as a section", "a: 1 # no end"],
  ])("%s, and every other setting and comment stays", (_, before) => {
    const after = withProfile(before, yaml) ?? "";
    const [was, is] = [parse(before), parse(after)];
    expect(is).toEqual({ ...was, venue: { ...was.venue, profile: parse(yaml) } });
    for (const [comment] of before.matchAll(/# [vxy]/g)) expect(after).toContain(comment);
  });

  test.each([
    ["an anchor that is used elsewhere", "venue:\n  profile: &p { keys: camel }\nb: *p\n"],
    ["no settings at all", "- a\n- b\n"],
  ])("unless it has %s: then a person does it", (_, text) => {
    expect(withProfile(text, yaml)).toBeUndefined();
  });
});

test("what a venue wrote stands as code on the page, whatever it holds", () => {
  const cause = "![x](http://evil.example/a.png) `` <script> `";
  const session = { sent: [], contact: { profile: presets.contract } } as unknown as Session;
  const page = pageText("t", "e", [{ check: "no fill", verdict: "warning", cause }], session);
  expect(page).toContain(`- \`no fill\`: \`\`\` ${cause} \`\`\`\n`);
});
