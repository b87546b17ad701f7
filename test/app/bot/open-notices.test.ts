// Telling people beside a bot.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClosing } from "../../../src/app/bot/closing.ts";
import { openNotices, summaryMemory } from "../../../src/app/bot/open-notices.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { handTime } from "../../support/hand-time.ts";

test("the end of the last summary is known to the next process, and a file that cannot be used is reported", () => {
  const said: string[] = [];
  const path = join(temporaryFolder(), "pegbot.db");
  const memory = () => summaryMemory(path, (text) => void said.push(text));
  expect(memory().load()).toBeUndefined();
  memory().save("R-0");
  expect([memory().load(), readFileSync(`${path}.summary`, "utf8"), said]).toEqual(["R-0\n", "R-0\n", []]);
  rmSync(`${path}.summary`);
  mkdirSync(`${path}.summary`);
  expect(memory().load()).toBeUndefined();
  memory().save("R-2");
  expect(said).toEqual([
    `${path}.summary cannot be read, the next summary begins now: it is no regular file`,
    expect.stringContaining(`${path}.summary cannot be written, after a restart a summary begins there: `),
  ]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a look at the bot that fails is handed to who may fail, and looks go on", async () => {
  const url = "http://127.0.0.1:9/hook";
  const { config } = unwrap(parseConfig(`mode: paper\nnotices: { webhook: { url: "${url}" } }\n`, "pegbot.yaml", {}));
  const failures: unknown[] = [];
  const closing = createClosing();
  const aside = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failures.push(error);
    }
  };
  const failure = new Error("no such figure");
  const snapshot = (): never => {
    throw failure;
  };
  const view = { board: { snapshot }, say: () => {}, aside };
  const shell = { clock: handTime(0).clock };
  const bot = {
    order: { config },
    shell,
    view,
    metrics: { notices: { told: () => {} } },
    killSwitch: { kill: () => undefined },
  };
  openNotices(bot as never, { url, token: undefined, password: undefined }, closing);
  vi.advanceTimersByTime(25_000);
  expect(failures).toEqual([failure, failure]);
  expect(await closing.all()).toEqual([]);
});
