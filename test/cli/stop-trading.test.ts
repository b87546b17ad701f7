// The four ways in which a person stops a running bot (signal, command, file, HTTP), with real processes, counted at the venue.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killFilePath, openKillFile } from "../../src/app/kill-switch/kill-file.ts";
import { unwrap } from "../../src/domain/result.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import type { Program } from "../support/program.ts";
import { type BotStage, botStage, eventually, type SeenRequest, said } from "./bot-stage.ts";
import { LAUNCHER } from "./pegbot.ts";

type Way = (stage: BotStage, bot: Program, url: string) => Promise<void> | void;

const WAYS: Readonly<Record<string, Way>> = {
  "pegbot halt": async ({ command }) => {
    expect((await command("halt", "by hand")).code).toBe(0);
  },
  "a touched kill file": ({ journal }) => writeFileSync(killFilePath(journal), ""),
  "POST /api/halt": async ({ journal }, _, url) => {
    const token = readFileSync(`${journal}.token`, "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ reason: "by hand" });
    expect((await fetch(`${url}api/halt`, { method: "POST", headers, body })).status).toBe(200);
  },
};

type Running = { readonly bot: Program; readonly url: string };

async function trading(stage: BotStage, run = (): Program => stage.run()): Promise<Running> {
  const before = await stage.orders();
  const bot = run();
  const url = (await said(bot, /listening on http:\S+\//)).slice("listening on ".length);
  await eventually(async () => (await stage.orders()) >= before + 2, "two orders");
  return { bot, url };
}

/** What the bot has sent since the moment of the stop. */
async function watched(stage: BotStage, since: number): Promise<{ orders: number; reads: number }> {
  const requests = await stage.requests();
  const isOrder = ({ path }: SeenRequest): boolean => path.endsWith("/addOrder");
  // One that was on its way may arrive whenever the machine lets it: the journal says what had left before.
  const before = leftBefore(stage, since);
  const orders = requests.filter((request) => isOrder(request) && !before.has(request.digest)).length;
  const later = requests.filter(({ arrivedAt }) => stage.realTime(arrivedAt) > since);
  return { orders, reads: later.filter((request) => !isOrder(request)).length };
}

function leftBefore({ journal, realTime }: BotStage, since: number): ReadonlySet<string | undefined> {
  const reader = unwrap(JournalReader.open(journal));
  try {
    const records = [...reader.after(0)].map((read) => unwrap(read).entry.record);
    return new Set(records.flatMap((one) => (one.kind === "sending" && realTime(one.at) <= since ? [one.digest] : [])));
  } finally {
    reader.close();
  }
}

/** For as long as it takes to read some more, however slow the machine is at this moment. */
async function expectOnlyReads(stage: BotStage, since: number): Promise<void> {
  await eventually(async () => (await watched(stage, since)).reads > 5, "reading to go on");
  expect((await watched(stage, since)).orders, "orders after the stop").toBe(0);
}

/** The stop itself: at the venue, on the page and for commands beside the bot. */
async function expectStopped(stage: BotStage, url: string): Promise<void> {
  const killFile = openKillFile(stage.journal);
  await eventually(async () => killFile.check() !== undefined, "the kill file to be there");
  const since = statSync(killFilePath(stage.journal)).mtimeMs;
  await expectOnlyReads(stage, since);
  expect(await (await fetch(`${url}readyz`)).text()).toContain("HALTED");
  expect((await stage.ask("order", "sell", "VCHF/CHF", "100", "--price", "1", "--yes")).code).toBe(5);
}

describe("a running bot", () => {
  let stage: BotStage;
  let running: Running;

  // A hook that is registered inside another is never run.
  const cleaners: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    stage = await botStage({}, (clean) => void cleaners.unshift(clean));
    running = await trading(stage);
  });

  afterAll(async () => {
    for (const clean of cleaners) await clean();
  });

  // One bot for all of them: between two ways it is resumed, and has to trade again.
  test.each(Object.entries(WAYS))("sends no order after %s, and goes on reading", async (_, stop) => {
    const { bot, url } = running;
    await stop(stage, bot, url);
    await expectStopped(stage, url);
    expect((await stage.ask("resume", "--yes", "--reason", "looked at it")).code).toBe(0);
    const stopped = await stage.orders();
    await eventually(async () => (await stage.orders()) > stopped, "an order after resume");
  });
});

describe("a bot that is started again", () => {
  test("stays stopped by kill -USR2 through a restart, and trades again only after a resume with a reason", async () => {
    const stage = await botStage();
    // The launcher's process, as an older Node shows it; the bot itself is its child then.
    const { bot, url } = await trading(stage, () => stage.launch("node", LAUNCHER, "run", "--port", "0"));
    bot.kill("SIGUSR2");
    await expectStopped(stage, url);
    bot.kill("SIGTERM");
    expect(await bot.ended()).toMatchObject({ code: 5 });

    const again = stage.run();
    await said(again, /HALTED/);
    await expectOnlyReads(stage, Date.now() - 1_000);
    expect(await stage.ask("resume", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a reason is needed/),
    });
    expect((await stage.ask("resume", "--yes", "--reason", "looked at it")).code).toBe(0);
    const stopped = await stage.orders();
    await eventually(async () => (await stage.orders()) > stopped, "an order after resume");
    again.kill("SIGTERM");
    expect(await again.ended()).toMatchObject({ code: 0 });
  });
});
