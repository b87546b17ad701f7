// The server of a run: a taken port ends the start, unless nobody asked for it; the page begins with what the bot begins with.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { NEVER } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { BotOrder } from "../../../src/app/bot/bot-order.ts";
import { serveBot } from "../../../src/app/bot/serve-bot.ts";
import { type BotView, openView } from "../../../src/app/bot/view.ts";
import { startConfig } from "../../../src/app/config/start-config.ts";
import { coreOf } from "../../../src/app/owner/core-of.ts";
import { type Closing, createClosing } from "../../../src/app/system/closing.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { Engine } from "../../../src/bot/engine.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import { err, ok } from "../../../src/domain/result.ts";
import type { Step } from "../../../src/domain/step.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { pegArbitrage } from "../../../src/strategy/peg-arbitrage.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

async function takenPort(): Promise<number> {
  const blocker: Server = createServer();
  await new Promise<void>((listening) => blocker.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void blocker.close());
  return (blocker.address() as AddressInfo).port;
}

function orderAt(port: number, anyPort = false): BotOrder {
  const config = { ...startConfig(), journal: { path: join(temporaryFolder(), "pegbot.db") } };
  return { config, port, anyPort, watch: false, logJson: false, logLevel: "info", durationMs: undefined };
}

function closingWithTest(): Closing {
  const closing = createClosing();
  onTestFinished(async () => void (await closing.all()));
  return closing;
}

function botOf(order: BotOrder, view: BotView, journal: object) {
  const nothing = () => undefined;
  return {
    ...{ order, view, codeVersion: "0.1.0", metrics: {}, slots$: NEVER, clock: systemClock },
    shell: { clock: systemClock },
    books: { journal },
    venue: { budget: { file: { path: join(temporaryFolder(), "key.db") } } },
    killSwitch: { kill: nothing },
  } as unknown as Parameters<typeof serveBot>[0];
}

async function served(port: number, anyPort: boolean): Promise<readonly string[]> {
  const told: string[] = [];
  const view = {
    say: (_: string, __: string, text: string) => void told.push(text),
    serve: ({ url }: { url: string }) => void told.push(url),
  } as unknown as BotView;
  const unread = { code: "journal-locked", message: "locked" } as const;
  const journal = { read: () => err(unread) };
  await serveBot(botOf(orderAt(port, anyPort), view, journal), closingWithTest());
  return told;
}

test("a port that is taken ends the start, with the way out", async () => {
  const port = await takenPort();
  await expect(served(port, false)).rejects.toMatchObject({
    code: 1,
    message: `port ${port} is taken`,
    next: expect.stringContaining("--port 0 a free one"),
  });
});

test("who did not ask for a port gets a free one where the usual one is taken, and is told which", async () => {
  const port = await takenPort();
  const [warning, url = ""] = await served(port, true);
  expect(warning).toBe(`port ${port} is taken, so a free one is used`);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(url).not.toContain(`:${port}/`);
});

test("the page has what a command wrote after the server was opened and before the bot read its journal, once", async () => {
  const bench = strategyBench(pegArbitrage, { symbols: ["VCHF/CHF"], balances: { CHF: "50000", VCHF: "50000" } });
  const versions = { schemaVersion: 1, codeVersion: "0.1.0" };
  const opening = {
    kind: "opening",
    at: bench.now,
    environment: "paper",
    account: "a",
    chainId: "c",
    ...versions,
  } as const;
  const journal = new MemoryJournal(opening, "other");
  const write = (step: Step): void => journal.record({ kind: "step", at: step.at, step });
  write(bench.quote("VCHF/CHF", 0.9983, 0.999));
  const order = orderAt(0);
  const closing = closingWithTest();
  const notes: string[] = [];
  const view = viewOver(order, journal, closing, notes);
  await serveBot(botOf(order, view, journal), closing);
  write(bench.fill());
  view.observer.core?.(tradingCoreAt(order, 3));
  // Another one, which is told, and an earlier one that a rebuilt trading core knows too.
  bench.pass(20_000);
  const decided = bench.quote("VCHF/CHF", 1.0012, 1.002);
  const filled = bench.fill();
  for (const step of [decided, filled]) {
    write(step);
    view.observer.step?.(step);
  }
  view.observer.core?.(tradingCoreAt(order, 5));

  const url = /http:\S+\//.exec(notes.join("\n"))?.[0] ?? "";
  const token = readFileSync(`${order.config.journal.path}.token`, "utf8").trim();
  const answer = await fetch(`${url}api/fills`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ fills: [{ side: "buy" }, { side: "sell" }] });
});

function tradingCoreAt({ config }: BotOrder, folded: number): Engine {
  return Object.assign(new Engine(coreOf(config, "readerzz")(IDLE), pipelineDefaults), { folded });
}

test("h halts when it is pressed twice, and not where another key or a while comes between", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.stubEnv("TERM", "xterm");
  onTestFinished(() => void vi.unstubAllEnvs());
  const journal = { head: () => ok({ sequence: 1 }) } as unknown as Journal;
  let press = (_key: string): void => {};
  const live = { takesKeys: true, size: { width: 80, height: 24 }, draw() {}, close() {} };
  const openScreen = (onKey: typeof press) => {
    press = onKey;
    return live;
  };
  const view = viewOver(orderAt(0), journal, closingWithTest(), [], { isScreen: true, notesAreSeen: true, openScreen });
  const halts: string[] = [];
  view.show((reason) => void halts.push(reason));
  for (const key of "hfhx") press(key);
  press("h");
  vi.advanceTimersByTime(3_100);
  press("h");
  expect(halts).toEqual([]);
  press("h");
  expect(halts).toHaveLength(1);
});

function viewOver(order: BotOrder, journal: Journal, closing: Closing, notes: string[], screen: object = {}): BotView {
  const note = (line: string): void => void notes.push(line);
  const terminal = { isScreen: false, notesAreSeen: false, note, ...screen };
  const exchange = { reachability: () => "good", keyTrouble: () => undefined, silence: () => undefined };
  const venue = { exchange, base: { host: "127.0.0.1:1" }, budget: { file: { status: () => undefined }, waiting: [] } };
  const seen = {
    books: { journal, path: order.config.journal.path },
    venue,
    limits: paperLimits,
    metrics: { requests: { sent: 0 } },
  };
  return openView({ terminal, clock: systemClock } as never, order, seen as never, closing);
}
