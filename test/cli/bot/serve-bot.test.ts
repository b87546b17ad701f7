// The port of a run: a taken one ends the start, unless nobody asked for it.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { NEVER } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import type { BotOrder } from "../../../src/cli/bot/bot-order.ts";
import { createClosing } from "../../../src/cli/bot/closing.ts";
import { serveBot } from "../../../src/cli/bot/serve-bot.ts";
import type { BotView } from "../../../src/cli/bot/view.ts";
import { startConfig } from "../../../src/cli/start-config.ts";
import { err, ok } from "../../../src/domain/result.ts";
import { FRESH } from "../../../src/risk/standing.ts";
import { temporaryFolder } from "../../journal/place.ts";

async function takenPort(): Promise<number> {
  const blocker: Server = createServer();
  await new Promise<void>((listening) => blocker.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void blocker.close());
  return (blocker.address() as AddressInfo).port;
}

async function served(port: number, anyPort: boolean): Promise<readonly string[]> {
  const told: string[] = [];
  const config = { ...startConfig(), journal: { path: join(temporaryFolder(), "pegbot.db") } };
  const order: BotOrder = { config, port, anyPort, watch: false, logJson: false, durationMs: undefined };
  const view = {
    say: (_: string, __: string, text: string) => void told.push(text),
    serve: (url: string) => void told.push(url),
  } as unknown as BotView;
  const nothing = () => undefined;
  const guard = { check: nothing, kill: nothing, follow: nothing, standing: () => FRESH, close: nothing };
  const closing = createClosing();
  const unread = { code: "journal-locked", message: "locked" } as const;
  onTestFinished(async () => void (await closing.all()));
  const served = {
    guard,
    view,
    codeVersion: "0.1.0",
    metrics: async () => ({ type: "text/plain", text: "" }),
    slots$: NEVER,
    heartbeat: nothing,
    resume: async () => err("nothing to take back"),
    approve: async () => err("nothing to approve"),
    decline: async () => err("nothing to decline"),
    plans: async () => ok([]),
    showPage: () => {},
  };
  await serveBot(order, { ...served, journal: { head: () => err(unread), read: () => err(unread) } }, closing);
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
