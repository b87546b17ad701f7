// What a person does beside a running bot: orders, adoptions, and the resolution of what nobody knows. Real processes.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import type { Program } from "../support/program.ts";
import { type BotStage, botStage, said } from "./bot-stage.ts";
import { LAUNCHER } from "./pegbot.ts";

/** The bot itself orders nothing; decisions live long enough for a busy machine on a fast clock. */
async function quietStage(change: object = {}): Promise<BotStage> {
  const risk = { ...paperLimits, decisionAgeMsMax: 30_000, referenceAgeMsMax: 60_000 };
  const stage = await botStage({ risk, ...change });
  writeFileSync(join(stage.folder, "seller.ts"), 'export default { name: "still", decide: () => undefined };\n');
  return stage;
}

type Status = {
  readonly frozen?: string;
  readonly bot?: { readonly page: string };
  readonly standing: { readonly state: string; readonly reason: string };
  readonly open: readonly { readonly id: string; readonly state: string; readonly isDoubt: boolean }[];
  readonly decisions: readonly { readonly clientOrderId?: string; readonly outcome: string }[];
  readonly holdings: readonly { readonly asset: string; readonly held: string; readonly reserved: string }[];
};

async function statusOf({ ask }: BotStage): Promise<Status> {
  const { code, stdout, stderr } = await ask("status", "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Status;
}

const SELL = ["order", "sell", "VCHF/CHF", "100", "--price", "0.9955", "--yes"] as const;

describe("an order of a person", () => {
  test("fills beside a running bot, is refused by a rule, and is unknown when the answer is lost until the bot finds it", async () => {
    const stage = await quietStage();
    const bot = stage.run();
    await said(bot, /trading/);
    const filled = await stage.command(...SELL, "--json");
    expect([filled.code, JSON.parse(filled.stdout)]).toMatchObject([0, { outcome: "filled" }]);
    const refused = await stage.ask("order", "sell", "VCHF/CHF", "100", "--price", "1.5", "--yes", "--json");
    const why = /refused: RC07H: limit 1.5 .* limit is 200 bp/;
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(why)]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ page: expect.stringMatching(/codes.md#rc07h$/), exitCode: 3 });
    const before = await stage.orders();
    expect(before).toBe(1);

    await stage.portal("faults", { rules: [{ fault: "lost-answer", on: "addOrder", times: 1 }] });
    const unknown = await stage.ask("order", "sell", "VCHF/CHF", "101", "--price", "0.9955", "--yes", "--json");
    expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([4, { outcome: "unknown" }]);
    const { id } = JSON.parse(unknown.stdout) as { id: string };
    await said(bot, new RegExp(`${id} confirmed by the history`));
    const { decisions, bot: running } = await statusOf(stage);
    expect(decisions.find((one) => one.clientOrderId === id)).toMatchObject({ outcome: "confirmed" });
    // The running bot shows what it did not give itself.
    const headers = { authorization: `Bearer ${readFileSync(`${stage.journal}.token`, "utf8").trim()}` };
    const fills = (await (await fetch(new URL("/api/fills", running?.page), { headers })).json()) as {
      fills: object[];
    };
    expect(fills.fills).toMatchObject([{ size: "100" }, { size: "101", clientOrderId: id }]);
    const shown = (await (await fetch(new URL("/api/orders", running?.page), { headers })).json()) as Status;
    expect(shown.decisions.map(({ clientOrderId }) => clientOrderId)).toContain(id);
    expect(await stage.orders()).toBe(before + 1);
  });

  test("stays until the trade list shows its fill; not listed in time, or with a lost answer, it ends with 4, and the bot, started later, resolves it", async () => {
    const stage = await quietStage();
    const order = async (fault: object, quantity: string, ...more: string[]) => {
      await stage.portal("faults", { rules: [{ ...fault, on: "addOrder", times: 1 }] });
      const args = ["order", "sell", "VCHF/CHF", quantity, "--price", "0.9955", "--yes", "--json", ...more];
      const { code, stdout } = await stage.ask(...args);
      const { id, outcome, text } = JSON.parse(stdout) as { id: string; outcome: string; text: string };
      return { code, id, outcome, text };
    };
    const outcomeOf = async (id: string) =>
      (await statusOf(stage)).decisions.find((one) => one.clientOrderId === id)?.outcome;
    const late = (delayMs: number) => ({ fault: "publication-delay", delayMs });

    const listed = await order(late(4_000), "100");
    expect(listed).toMatchObject({ code: 0, outcome: "filled" });
    expect(await outcomeOf(listed.id)).toBe("confirmed");
    const unlisted = await order(late(60_000), "101", "--confirm-within", "2s");
    expect(unlisted).toMatchObject({
      code: 4,
      outcome: "unconfirmed",
      text: expect.stringMatching(/Do not send it again: a running bot confirms it, start one with pegbot run/),
    });
    const lost = await order({ fault: "lost-answer" }, "102");
    expect(lost).toMatchObject({
      code: 4,
      outcome: "unknown",
      text: expect.stringMatching(/Do not repeat it: a running bot resolves it, start one with pegbot run/),
    });
    expect([await outcomeOf(unlisted.id), await outcomeOf(lost.id)]).not.toContain("confirmed");

    const bot = stage.run();
    for (const { id } of [unlisted, lost]) await said(bot, new RegExp(`${id} confirmed by the history`));
    expect([await outcomeOf(unlisted.id), await outcomeOf(lost.id)]).toEqual(["confirmed", "confirmed"]);
    expect(await stage.orders()).toBe(3);
  });

  test("whose result cannot be written ends with 4, for it was sent; one that was refused ends as ever", async ({
    skip,
  }) => {
    skip(!existsSync("/dev/full"), "this system has no /dev/full");
    const stage = await quietStage();
    const lost = (...args: readonly string[]): Program =>
      stage.launch("sh", "-c", 'exec "$0" "$@" > /dev/full', process.execPath, LAUNCHER, ...args);
    const order = lost(...SELL, "--json");
    expect((await order.ended()).code, order.stderr()).toBe(4);
    expect(order.stderr()).toMatch(/it was sent, and is not to be sent again: /);
    const refused = lost("order", "sell", "VCHF/CHF", "100", "--price", "0.5", "--yes", "--json");
    expect((await refused.ended()).code, refused.stderr()).toBe(3);
    expect(await stage.orders()).toBe(1);
  });

  test("without a bot is not sent while the balances are not what the books say", async () => {
    const stage = await quietStage();
    expect((await stage.ask(...SELL)).code).toBe(0);
    await stage.portal("credits", { publicKey: stage.publicKey, asset: "CHF", amount: "500" });
    // Not the very same within seconds, which a rule refuses before anything is compared.
    const refused = await stage.ask("order", "sell", "VCHF/CHF", "101", "--price", "0.9955", "--yes");
    expect(refused.stdout + refused.stderr).toMatch(/RC33: .*, a difference of 500 .*; nothing was sent/);
    expect(refused.code).toBe(3);
    expect(await stage.orders()).toBe(1);
  });

  test("opens the books of an untouched account, as a bot does; needs the key's own journal; sends nothing over a doubt", async () => {
    const stage = await quietStage();
    const first = await stage.ask(...SELL, "--json");
    expect([first.code, first.stdout, first.stderr]).toMatchObject([
      0,
      expect.stringContaining('"filled"'),
      expect.stringMatching(/first start: the venue's balances are the opening entry: .*100000 VCHF/),
    ]);
    const bot = stage.run();
    await said(bot, /trading/);
    expect(bot.stderr()).not.toMatch(/first start|HALTED/);
    expect((await statusOf(stage)).holdings).toContainEqual(expect.objectContaining({ asset: "VCHF", held: "99900" }));
    bot.kill("SIGTERM");
    await bot.ended();
    writeFileSync(join(stage.folder, "other.yaml"), `${stage.config()}journal: { path: ./elsewhere/other.db }\n`);
    for (const { code, stderr } of [
      await stage.ask("--config", "other.yaml", ...SELL),
      await stage.command("--config", "other.yaml", "run", "--port", "0"),
    ])
      expect([code, stderr]).toMatchObject([2, expect.stringContaining(`that is ${stage.journal}, chain `)]);
    expect(await stage.orders()).toBe(1);

    expect(await statusOf(stage)).toMatchObject({ open: [] });
    await stage.portal("faults", { rules: [{ fault: "lost-request", on: "addOrder", times: 1 }] });
    const lost = await stage.ask(...SELL, "--json");
    expect(lost.code, lost.stderr).toBe(4);
    const { id } = JSON.parse(lost.stdout) as { id: string };
    expect(await statusOf(stage)).toMatchObject({ open: [{ id, isDoubt: true }] });
    expect((await stage.ask(...SELL)).code, "over an order of unknown outcome").toBe(3);
  });
});

describe("adopt", () => {
  test("opens the books beside a history that was there before, which the bot refuses to do", async () => {
    const stage = await quietStage();
    const foreign = { symbol: "VCHF/CHF", side: "sell", quantity: "100", limit: "0.99" };
    await stage.portal("orders", { publicKey: stage.publicKey, ...foreign });
    expect((await stage.ask("balances")).code).toBe(0);
    const order = () => stage.ask(...SELL);
    for (const attempt of [order, () => stage.command("run", "--port", "0"), order]) {
      const refused = await attempt();
      expect([refused.code, refused.stderr]).toMatchObject([
        3,
        expect.stringMatching(/the journal is empty, and the venue shows trade .*pegbot adopt/),
      ]);
    }
    expect(await stage.orders()).toBe(0);

    const unconfirmed = await stage.ask("adopt");
    expect([unconfirmed.code, unconfirmed.stderr]).toMatchObject([2, expect.stringMatching(/--yes confirms/)]);
    const adopted = await stage.ask("adopt", "--yes");
    expect(adopted.code, adopted.stderr).toBe(0);
    expect(adopted.stderr).toMatch(/VCHF +venue 99900, journal -, difference 99900/);
    expect(adopted.stderr).toMatch(/trade .*100 VCHF/);
    await said(stage.run(), /trading/);
    expect((await statusOf(stage)).standing.state).toBe("ACTIVE");
  });
});

test("adopt gives a key another journal only when a person has seen what the one so far has, whose stop goes with it", async () => {
  const stage = await quietStage();
  expect((await stage.ask(...SELL)).code).toBe(0);
  const copied = await stage.ask("journal", "backup", "copy");
  expect(copied.code, copied.stderr).toBe(0);
  expect((await stage.ask("halt", "nobody trades until Anna has looked")).code).toBe(5);
  writeFileSync(join(stage.folder, "other.yaml"), `${stage.config()}journal: { path: ./copy/pegbot.db }\n`);
  const other = (...args: string[]) => stage.ask("--config", "other.yaml", ...args);
  const asked = await other("adopt", "--json");
  expect([asked.code, asked.stderr]).toMatchObject([2, expect.stringMatching(/--yes confirms/)]);
  // One value: what was compared, and why nothing was adopted.
  expect(JSON.parse(asked.stdout)).toMatchObject({ next: "--yes confirms", exitCode: 2 });
  expect(asked.stderr).toMatch(
    new RegExp(`replaces ${stage.journal}.*\\n[\\s\\S]*HALTED since .*: nobody trades until Anna has looked`),
  );
  // Nothing was changed: the key's own is still the other one.
  expect((await other(...SELL)).stderr).toContain(`that is ${stage.journal}, chain `);

  const moved = await other("adopt", "--yes", "--json");
  expect([moved.code, moved.stderr]).toMatchObject([0, expect.stringMatching(/there is nothing to take over/)]);
  expect(JSON.parse(moved.stdout)).toMatchObject({
    replaces: { path: stage.journal, state: "HALTED", isRead: true },
  });
  const refused = await other(...SELL);
  expect([refused.code, refused.stderr]).toMatchObject([5, expect.stringContaining("until Anna has looked")]);
  expect((await other("adopt")).code, "once it is the key's own nobody is asked").toBe(0);
});

/** The id of an order that never arrived, once the bot has given up finding out. */
async function lose(stage: BotStage, bot: Program): Promise<string> {
  await stage.portal("faults", { rules: [{ fault: "lost-request", on: "addOrder", times: 1 }] });
  const lost = await stage.ask("order", "sell", "VCHF/CHF", "101", "--price", "0.9955", "--yes", "--json");
  expect(lost.code, lost.stderr).toBe(4);
  const { id } = JSON.parse(lost.stdout) as { id: string };
  await said(bot, new RegExp(`${id} needs a person`));
  return id;
}

describe("resolve", () => {
  test("closes an order that evidence has given up, with the venue's word or against it not at all", async () => {
    // A person is asked before absence may count.
    const protocol = { windowMsMin: 60_000, escalateAfterMs: 20_000 };
    const stage = await quietStage({ protocol });
    const bot = stage.run();
    await said(bot, /trading/);
    const filled = JSON.parse((await stage.ask(...SELL, "--json")).stdout) as { id: string };
    const id = await lose(stage, bot);
    const isOpen = async (state: string): Promise<boolean> =>
      (await statusOf(stage)).open.some((one) => one.id === id && one.state === state);

    const flags = ["--reason", "seen in the portal", "--yes"];
    const tried = (...args: string[]) => stage.ask("resolve", ...args, ...flags);
    const amounts = ["--bought", "90 CHF", "--sold", "101 VCHF", "--fee", "0 CHF", "--order-id", "17"];
    const refusals: readonly (readonly [readonly string[], number, RegExp])[] = [
      [[id], 2, /one of --filled, --not-filled, --landed, --not-landed is needed/],
      [["T-none-1", "--filled"], 2, /knows no T-none-1; open are T-/],
      [[filled.id, "--not-filled"], 3, /must wait for a person to be closed by one/],
      [
        [id, "--filled", "--bought", "100.6 CHF"],
        2,
        /must be stated, all four of them; take them from the portal: --bought/,
      ],
      [
        [id, "--filled", "--bought", "1006 CHF", ...amounts.slice(2)],
        3,
        /would differ from the books: .*; nothing was changed/,
      ],
      [[id, "--filled", ...amounts], 3, /not believed of .*received must be at least .*nothing was changed/],
    ];
    for (const [args, code, words] of refusals)
      expect(await tried(...args)).toMatchObject({ code, stderr: expect.stringMatching(words) });
    expect(await isOpen("escalated")).toBe(true);

    const denied = await tried(id, "--not-filled", "--json");
    expect([denied.code, JSON.parse(denied.stdout)]).toEqual([
      0,
      { id, as: "not-filled", text: "is closed as not filled" },
    ]);
    // The status is the running bot's, which reads what a command wrote with its next turn.
    const isAsked = async (one: string) =>
      (await statusOf(stage)).open.some((each) => each.id === one && each.state !== "confirmed");
    await expect.poll(() => isAsked(id), { interval: 300 }).toBe(false);
    const { holdings } = await statusOf(stage);
    expect(holdings.find(({ asset }) => asset === "VCHF")).toMatchObject({ held: "99900", reserved: "0" });

    // A second one that a person knows to have filled: the stated amounts are booked, once.
    await stage.ask("resume", "--reason", "resolved", "--yes");
    // Trades and orders are read again first.
    await expect.poll(async () => (await statusOf(stage)).frozen, { interval: 300 }).toBeUndefined();
    const second = await lose(stage, bot);
    const right = ["--bought", "100.6 CHF", "--sold", "101 VCHF", "--fee", "0.1 CHF", "--order-id", "18"];
    expect((await tried(second, "--filled", ...right)).stderr).toMatch(/would differ from the books.*--venue-confirms/);
    const closed = await tried(second, "--filled", "--venue-confirms", ...right);
    expect(closed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is closed as filled: bought 100\.6 CHF for 101 VCHF/),
    });
    expect(await tried(second, "--filled", ...right)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/nothing was changed/),
    });
    // Until the venue's balances show it, as with every fill; a doubt it is no more.
    await expect.poll(() => isAsked(second), { interval: 300 }).toBe(false);
    const after = await statusOf(stage);
    // 99900 less the 101 that were stated as sold.
    expect(after.holdings.find(({ asset }) => asset === "VCHF")).toMatchObject({ held: "99799", reserved: "0" });
  });
});
