// A command as the trader of an operation, where it opened books and venue itself.

import type { Turn } from "../../bot/trading-core/turn.ts";
import { pauseOrStop } from "../../domain/pause.ts";
import type { Ask } from "../../execution/effects.ts";
import type { Agreement } from "../../operation/agreement.ts";
import type { Asking, Ended, Trader } from "../../operation/money.ts";
import { type Confirming, confirmAgreement, type Person } from "../terminal/confirmation.ts";
import { type HeardReferences, hear, hearReferences, readQuotes, seeQuote } from "./market.ts";
import { type MoneyCommand, requireMaySend, standingOf } from "./money-command.ts";
import { unrecorded } from "./send.ts";

const EVERY_MS = 1_000;
const ROUNDS_MAX = 4;

function ownTrader(tool: MoneyCommand, stop: AbortSignal): Trader & { close(): void } {
  const { config, exchange, tradingCore, dispatch } = tool;
  let due: Ask[] = [];
  let references: HeardReferences | undefined;

  async function acted(turn: Turn): Promise<Turn> {
    due.push(...turn.asks);
    for (const approval of turn.sends) {
      const cease = (): void => dispatch.close("stopped before it was sent");
      if (stop.aborted) cease();
      stop.addEventListener("abort", cease, { once: true });
      const sent = await dispatch.send(approval);
      try {
        await acted(await tool.take({ kind: "outcome", ...sent }));
      } catch (error) {
        throw sent.outcome.kind === "not-sent" ? error : unrecorded(error);
      }
    }
    return turn;
  }

  /** Sends the reads that are due, and those that follow from their answers. */
  async function inquire(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX && due.length > 0; round++) {
      const asks = due;
      due = [];
      for (const ask of asks) await acted(await hear(tool, await dispatch.ask(ask)));
    }
  }

  return {
    config,
    exchange,
    timers: tool.timers,
    core: () => tradingCore,
    now: tool.now,
    standing: () => standingOf(tool),
    async take(input) {
      if (input.kind === "movement" || input.kind === "order") requireMaySend(tool);
      return acted(await tool.take(input));
    },
    async ask(question) {
      const answer = await tool.ask(question);
      await acted(await hear(tool, { kind: "answer", answer }));
      return answer;
    },
    prices: () => references?.newest() ?? [],
    close: () => references?.close(),
    async quotes(want) {
      references ??= hearReferences(tool);
      const reading = await readQuotes(tool, want);
      if (reading.kind !== "read") return reading;
      for (const quote of reading.value) await seeQuote(tool, { kind: "quote", ...quote });
      return reading;
    },
    read: tool.read,
    async until(test, over) {
      for (;;) {
        const found = test();
        if (found !== undefined || over.aborted) return found;
        await inquire();
        await acted(await tool.take({ kind: "time" }));
        await inquire();
        const later = test();
        if (later !== undefined || over.aborted) return later;
        await pauseOrStop(tool.timers, EVERY_MS, over);
      }
    },
  };
}

/** Carries an operation out for a person at the terminal. */
export async function carriedOut(
  tool: MoneyCommand,
  { shell, prompts, stop }: Person,
  act: (trader: Trader, asking: Asking) => Promise<Ended>,
  confirming: Confirming,
  by: string,
): Promise<Ended> {
  requireMaySend(tool);
  const agree = async (found: Agreement) => {
    await confirmAgreement(shell, prompts, found, confirming);
    requireMaySend(tool);
    return { sent: found.sent, asked: undefined };
  };
  const tell = (text: string): void => shell.terminal.note(text);
  return asOwnTrader(tool, stop, (trader) => act(trader, { by, gone: stop, tell, agree }));
}

export async function asOwnTrader<T>(
  tool: MoneyCommand,
  stop: AbortSignal,
  work: (trader: Trader) => Promise<T>,
): Promise<T> {
  const trader = ownTrader(tool, stop);
  try {
    return await work(trader);
  } finally {
    trader.close();
  }
}
