import { describe, expect, test } from "vitest";
import type { Core } from "../../../src/bot/core.ts";
import type { Effects } from "../../../src/execution/effects.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { type LifeResult, runLife } from "./life.ts";
import { brokenIn, figuresOf } from "./report.ts";

/** Seeds at which an earlier rule for balances missed a theft, saw it late, or halted without one. */
const FOUND: Readonly<Record<string, readonly number[]>> = {
  mints: [59],
  "mints of unknown outcome and fee": [33],
  "payments, fees stated": [24],
  "payments, fees configured": [20, 27],
  "payments, fees unstated": [10, 26],
  "busy payments": [2, 12],
  "late by 5 s": [12, 41],
  "late by 30 s": [42, 43],
  "late by 60 s": [5, 35],
  "30 % from a replica behind": [42],
  restarts: [32],
  "a restart a minute": [22, 46],
  "all together": [17, 27],
};
const LISTS: Kind = KINDS.find(({ name }) => name === "payments, fees stated") as Kind;

async function livesOf(kind: Kind, count: number, weaken?: (core: Core) => Core): Promise<readonly LifeResult[]> {
  const lives: LifeResult[] = [];
  for (const seed of [...(FOUND[kind.name] ?? []), 1, 3, 4].slice(0, count))
    lives.push(await runLife(kind, seed, weaken));
  return lives;
}

describe("an hour in a random world", () => {
  test.each(KINDS)(
    "$name: books are the truth, no theft is missed or seen late, nothing else halts the bot",
    async (kind) => {
      // `npm run campaign world` has 60 of each kind.
      const lives = await livesOf(kind, FOUND[kind.name]?.length ?? 1);
      expect(brokenIn(figuresOf(kind, lives))).toEqual([]);
      for (const { fills } of lives) expect(fills).toBeGreaterThan(5);
    },
  );

  test("a seed is a life", async () => {
    const all = KINDS.at(-1) as Kind;
    const [one, again, other] = [await runLife(all, 7), await runLife(all, 7), await runLife(all, 8)];
    expect(again).toEqual(one);
    expect(other.head).not.toBe(one.head);
  });

  test("a bot that does not compare balances misses thefts", async () => {
    const figures = figuresOf(LISTS, await livesOf(LISTS, 2, deafToBalances));
    expect(figures.missed).not.toEqual([]);
  });

  test("books without a payment are not the truth", async () => {
    const figures = figuresOf(LISTS, await livesOf(LISTS, 2, silentOnMovements));
    expect(figures.wrong).not.toEqual([]);
  });
});

function deafToBalances(core: Core): Core {
  const { executor } = core;
  const answered = executor.answered.bind(executor);
  executor.answered = (answer, now, out) => {
    if (answer.witness !== "balances") answered(answer, now, out);
  };
  return core;
}

function silentOnMovements(core: Core): Core {
  const { executor } = core;
  const answered = executor.answered.bind(executor);
  executor.answered = (answer, now, out) => {
    const silent: Effects = {
      record: (record) => out.record(record),
      rails: (record) => out.rails(record),
      ask: (ask) => out.ask(ask),
      tell: (event) => {
        if (event.kind !== "movement" && event.kind !== "control") out.tell(event);
      },
    };
    answered(answer, now, silent);
  };
  return core;
}
