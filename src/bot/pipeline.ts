// The flow of the running bot: balances and trading pairs, prices, timers and operations come in; a strategy emits limit
// prices; risk caps sizes; the executor places Fill-or-Kill orders with unique client order ids and confirms them through
// queryTrades; mint and rail tools work next to it, all through one bucket of one request a second. It knows no file,
// signal or screen.

import {
  defer,
  ignoreElements,
  lastValueFrom,
  merge,
  mergeMap,
  type Observable,
  Subject,
  startWith,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from "rxjs";
import { type Bot, byRank, type Ending, openBot, type PipelineParts } from "./bot.ts";
import type { Input } from "./input.ts";
import type { Done } from "./operation-line.ts";

export type Stages = Pick<
  Bot,
  | "poll"
  | "references$"
  | "operations$"
  | "strategies$"
  | "controls$"
  | "timers$"
  | "stop$"
  | "decide"
  | "follow"
  | "execute"
  | "confirm"
  | "transfer"
  | "goOn"
>;

/** Turns that are on disk, in order. */
export function flow(bot: Stages): Observable<Done> {
  return defer(() => {
    const answers$ = new Subject<Input>(); // of addOrder, queryTrades, querySupplyChanges ...: first in line
    const balances$ = bot.poll("balances", "addresses"); // each read takes a slot of the one bucket
    const pairs$ = bot.poll("pairs");
    const histories$ = bot.poll("trades", "orders");
    const prices$ = merge(bot.poll("quotes"), bot.references$);
    const wishes$ = merge(bot.operations$, bot.strategies$); // order, mint, rail, convert ...: command line, page, agents
    const feeds$ = merge(bot.controls$, bot.timers$, wishes$, balances$, pairs$, histories$, prices$);

    return merge(answers$, feeds$.pipe(takeUntil(bot.stop$))).pipe(
      byRank((input) => bot.decide(input)), // one at a time: books; strategy emits limit prices; risk caps sizes; journaled
      mergeMap((done) => {
        const { orders, questions, movements, reads, next } = bot.follow(done);
        return merge(
          bot.execute(orders), // Fill-or-Kill, unique client order id
          bot.confirm(questions), // queryTrades and the other witnesses
          bot.transfer(movements), // mint and rail tools
          bot.goOn(reads, next),
        ).pipe(
          tap((answer) => answers$.next(answer)),
          ignoreElements(),
          startWith(done),
        );
      }),
    );
  });
}

/** Ends when stopped, or when the bot may not start. Rejects only for a bug; the halt is on record by then. */
export async function runPipeline(parts: PipelineParts, stop: AbortSignal): Promise<Ending> {
  try {
    return await run(parts, stop);
  } finally {
    parts.operations?.close("the owner of the key has stopped");
  }
}

async function run(parts: PipelineParts, stop: AbortSignal): Promise<Ending> {
  const { journal, scheduler, watch, settings } = parts;
  const opened = openBot(parts, stop);
  if (!opened.ok) return failed(opened.error);
  const bot = opened.value;
  const hosted = bot.continuation(parts.strategy);
  if (hosted.kind === "refused" && parts.isFresh !== true)
    return bot.ending("refused", `${hosted.reason}: ${hosted.wayOut}`);
  const started = await journal.append([{ kind: "started", at: bot.now().at, ...parts.identity }]);
  if (!started.ok) return failed(started.error);
  watch.phase?.({ kind: "reading" });
  try {
    const isStarting = (): boolean => bot.startUp.refusal === undefined;
    await completion(flow(bot).pipe(takeWhile(isStarting), takeUntil(bot.over$)));
    if (bot.startUp.refusal !== undefined) return bot.ending("refused", bot.startUp.refusal);
    await completion(bot.commit({ kind: "save" }).pipe(takeUntil(timer(settings.stopMsMax, scheduler))));
    return bot.ending("stopped", String(stop.reason));
  } catch (error) {
    await bot.haltForBug(error);
    throw error;
  }
}

async function completion(work$: Observable<unknown>): Promise<void> {
  await lastValueFrom(work$, { defaultValue: undefined });
}

function failed({ message }: { readonly message: string }): Ending {
  return { kind: "failed", reason: message, open: [], tradingState: undefined, abandoned: [] };
}
