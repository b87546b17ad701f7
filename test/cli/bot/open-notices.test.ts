// Telling people beside a bot.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClosing } from "../../../src/cli/bot/closing.ts";
import { openNotices } from "../../../src/cli/bot/open-notices.ts";
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
  openNotices(
    config,
    { url, token: undefined, password: undefined },
    {
      clock: handTime(0).clock,
      meter: { told: () => {} },
      snapshot,
      titleOf: () => undefined,
      halt: () => undefined,
      say: () => {},
      aside,
    },
    closing,
  );
  vi.advanceTimersByTime(25_000);
  expect(failures).toEqual([failure, failure]);
  expect(await closing.all()).toEqual([]);
});
