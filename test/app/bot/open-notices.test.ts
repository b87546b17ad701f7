// Telling people beside a bot.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClosing } from "../../../src/app/bot/closing.ts";
import { openNotices } from "../../../src/app/bot/open-notices.ts";
import { declineMemory, heldMemory, summaryMemory } from "../../../src/app/bot/told-memory.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { handTime } from "../../support/hand-time.ts";

test("what was told is known to the next process, each in a file of its own; what cannot be kept is said", () => {
  const said: string[] = [];
  const path = join(temporaryFolder(), "pegbot.db");
  const say = (text: string): void => void said.push(text);
  const all = () => [summaryMemory(path, say), declineMemory(path, say), heldMemory(path, "c-1", say)];
  expect(all().map((memory) => memory.load())).toEqual([undefined, undefined, undefined]);
  for (const [i, memory] of all().entries()) memory.save(`R-${i}`);
  expect(all().map((memory) => memory.load())).toEqual(["R-0\n", "R-1\n", "R-2\n"]);
  expect([readFileSync(`${path}.summary`, "utf8"), said]).toEqual(["R-0\n", []]);
  for (const end of ["summary", "declined", "held"]) {
    rmSync(`${path}.${end}`);
    mkdirSync(`${path}.${end}`);
  }
  for (const memory of all()) {
    expect(memory.load()).toBeUndefined();
    memory.save("R-2");
  }
  expect(said).toEqual([
    `${path}.summary cannot be read, the next summary begins now: it is no regular file`,
    expect.stringContaining(`${path}.summary cannot be written, after a restart a summary begins there: `),
    `${path}.declined cannot be read, a plan that was declined may be told twice: it is no regular file`,
    expect.stringContaining(`${path}.declined cannot be written, after a restart a plan that was declined may be told`),
    `${path}.held cannot be read, nobody is told of what the venue let go while no bot ran: it is no regular file`,
    expect.stringContaining(`${path}.held cannot be written, after a restart nobody is told of what the venue let go`),
  ]);
});

test("what the venue held is no news to a journal that took the place of the one it was told by", () => {
  const path = join(temporaryFolder(), "pegbot.db");
  const of = (chainId: string) => heldMemory(path, chainId, () => {});
  of("c-1").save("[1]");
  expect([of("c-1").load(), of("c-2").load(), of("c-").load()]).toEqual(["[1]\n", undefined, undefined]);
  of("c-2").save("[2]");
  expect([of("c-1").load(), of("c-2").load()]).toEqual([undefined, "[2]\n"]);
  // Without the name of a chain it is of no journal.
  writeFileSync(`${path}.held`, "[3]\n");
  expect(of("c-2").load()).toBeUndefined();
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
  openNotices(
    config,
    { url, token: undefined, password: undefined },
    {
      clock: handTime(0).clock,
      meter: { told: () => {} },
      snapshot,
      chainId: "c-1",
      titleOf: () => undefined,
      isWish: () => false,
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
