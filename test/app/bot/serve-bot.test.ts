// The server of a run: a taken port ends the start, unless nobody asked for it; the page begins with what the bot begins with.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { NEVER } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { BotOrder } from "../../../src/app/bot/bot-order.ts";
import { serveBot } from "../../../src/app/bot/serve-bot.ts";
import { type BotView, openView } from "../../../src/app/bot/view.ts";
import { startConfig } from "../../../src/app/config/start-config.ts";
import { type Closing, createClosing } from "../../../src/app/system/closing.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { err, ok } from "../../../src/domain/result.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { temporaryFolder } from "../../journal/place.ts";

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
