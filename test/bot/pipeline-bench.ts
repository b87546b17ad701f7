// A bot in the world in process for tests of the pipeline: started, run, stopped, and its journal and account looked at.

import { expect, onTestFinished } from "vitest";
import type { Fill } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Exchange, MoneyWant, Outcome, WantClass } from "../../src/exchange/port.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { type InProcess, openInProcess } from "../support/in-process.ts";
import { type BotOptions, type RunningBot, startBot, tradesInTurn } from "./bench.ts";

export function openWorld(seed = 1): InProcess {
  const world = openInProcess({ seed, funds: { CHF: "100000", VCHF: "100000" } });
  onTestFinished(() => world.close());
  return world;
}

export type Options = Omit<BotOptions, "world" | "strategy"> & { readonly strategy?: Strategy };

export async function start(world: InProcess, options: Options): Promise<RunningBot> {
  return startBot({ world, strategy: await tradesInTurn(), ...options });
}

export async function run(world: InProcess, options: Options, ms: number): Promise<RunningBot> {
  const bot = await start(world, options);
  await world.pass(ms);
  return bot;
}

/** The first order is on its way. */
export async function untilSent(world: InProcess, sent: readonly string[]): Promise<void> {
  for (let waited = 0; sent.length === 0 && waited < 30_000; waited += 100) await world.pass(100);
  expect(sent).not.toEqual([]);
}

export async function stopped(world: InProcess, bot: RunningBot) {
  bot.stop();
  await world.pass(20_000);
  return bot.ended;
}

export function records<K extends JournalRecord["kind"]>(path: string, kind: K): Extract<JournalRecord, { kind: K }>[] {
  const reader = unwrap(JournalReader.open(path));
  const all = [...reader.after(0)].map((read) => unwrap(read).entry.record);
  reader.close();
  return all.flatMap((record) => (record.kind === kind ? [record as Extract<JournalRecord, { kind: K }>] : []));
}

/** The venue's own word on what we hold, and the ledger's. */
export async function expectAgreement(world: InProcess, bot: RunningBot): Promise<void> {
  const reading = world.exchange.balances({ class: "other" });
  await world.pass(5_000);
  const told = await reading;
  if (told.kind !== "read") throw new Error("the balances must be readable");
  for (const { asset, available, pending } of told.value)
    expect(String(bot.tradingCore.books.accounts.held(asset) ?? "0"), asset).toBe(
      String(pending === undefined ? available : available.plus(pending)),
    );
}

/** The venue with its orders seen on the way, and held back or changed where a test wants it. */
export function watched(
  exchange: Exchange,
  addOrder?: (send: () => Promise<Outcome<Fill>>, want: MoneyWant) => Promise<Outcome<Fill>>,
) {
  const sent: string[] = [];
  const classes: string[] = [];
  const noted =
    <A extends unknown[], T>(name: string, call: (...args: A) => T) =>
    (...args: A): T => {
      classes.push(`${name} ${(args.at(-1) as { class: WantClass }).class}`);
      return call(...args);
    };
  const seen: Exchange = {
    ...exchange,
    orders: noted("orders", exchange.orders),
    trades: noted("trades", exchange.trades),
    addOrder(order, want) {
      const send = (): Promise<Outcome<Fill>> =>
        exchange.addOrder(order, {
          ...want,
          lastCheck() {
            const refusal = want.lastCheck();
            if (refusal === undefined) sent.push(order.clientOrderId);
            return refusal;
          },
        });
      return addOrder === undefined ? send() : addOrder(send, want);
    },
  };
  return { exchange: seen, sent, classes };
}
