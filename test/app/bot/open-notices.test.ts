// Telling people beside a bot.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClosing } from "../../../src/app/bot/closing.ts";
import { openNotices } from "../../../src/app/bot/open-notices.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { handTime } from "../../support/hand-time.ts";

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
  openNotices(bot as never, { url, token: undefined }, closing);
  vi.advanceTimersByTime(25_000);
  expect(failures).toEqual([failure, failure]);
  expect(await closing.all()).toEqual([]);
});
