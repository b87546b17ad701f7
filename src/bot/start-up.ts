// What must be known before the strategy runs, in this order: the pairs; histories and balances as the venue has them now,
// and books that agree with them; what became of everything that an earlier process left open.

import type { Asset } from "../domain/asset.ts";
import type { Answer, Ask } from "../execution/executor.ts";
import { compareWithVenue, judgeStart, reconcileAsks } from "../execution/reconcile.ts";
import type { Moment } from "../execution/submission.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Desk, Input } from "./desk.ts";
import type { Phase, Watcher } from "./watcher.ts";

/** Sits at the desk until the bot may trade. */
export const IDLE: Strategy = {
  name: "idle",
  wakes: new Set(),
  params: {},
  state: {},
  definition: { decide: () => undefined },
};

export interface StartUp {
  readonly phase: Phase;
  /** The strategy has its seat. */
  readonly isOver: boolean;
  /** The one that sits at the desk, or will. */
  readonly strategy: Strategy;
  /** Why the bot may not start. */
  readonly refusal: string | undefined;
  /** Another strategy than at first: whether it is to be seated now. */
  replace(strategy: Strategy): boolean;
  /** What follows from a turn. */
  after(input: Input, desk: Desk, now: Moment): Next;
}

type Next = { readonly inputs: readonly Input[]; readonly asks: readonly Ask[] };

const NOTHING: Next = { inputs: [], asks: [] };

export function createStartUp(strategy: Strategy, watch: Watcher): StartUp {
  return new OrderlyStart(strategy, watch);
}

class OrderlyStart implements StartUp {
  readonly #watch: Watcher;
  readonly #answers = new Map<string, Answer>();
  readonly #asked = new Set<string>();
  phase: Phase = { kind: "reading" };
  isOver = false;
  strategy: Strategy;
  refusal: string | undefined = undefined;

  constructor(strategy: Strategy, watch: Watcher) {
    this.strategy = strategy;
    this.#watch = watch;
  }

  replace(strategy: Strategy): boolean {
    this.strategy = strategy;
    return this.isOver;
  }

  after(input: Input, desk: Desk, now: Moment): Next {
    if (this.isOver || this.refusal !== undefined) return NOTHING;
    return this.phase.kind === "reading" ? this.#read(input, desk, now) : this.#resolve(desk);
  }

  #read(input: Input, desk: Desk, now: Moment): Next {
    if (input.kind === "answer") this.#answers.set(keyOf(input.answer), input.answer);
    if (input.kind === "unanswered")
      for (const key of this.#asked) if (key.startsWith(input.witness)) this.#asked.delete(key);
    if (desk.engine.instruments.size === 0) return NOTHING;
    const wanted = reconcileAsks(coinsOf(desk), desk.executor.hasRails);
    if (wanted.every((ask) => this.#answers.has(keyOf(ask)))) return this.#compare(desk, now);
    // Again only as time passes: what fails at once must not be asked as fast as it fails.
    if (this.#asked.size > 0 && input.kind !== "time") return NOTHING;
    const asks = wanted.filter((ask) => !this.#answers.has(keyOf(ask)) && !this.#asked.has(keyOf(ask)));
    for (const ask of asks) this.#asked.add(keyOf(ask));
    return { inputs: [], asks };
  }

  #compare(desk: Desk, now: Moment): Next {
    const { accounts } = desk.engine.context;
    const compared = compareWithVenue(desk.executor, [...this.#answers.values()], accounts, now);
    const start = compared.ok ? judgeStart(desk.executor, compared.value, now) : undefined;
    if (start === undefined || start.kind === "ready") return this.#resolve(desk);
    if (start.kind === "first") {
      this.#watch.note?.(start.note);
      return this.#resolve(desk, { kind: "adoption", adoption: start.plan.record, isOpening: true });
    }
    const { reason, wayOut } = start;
    if (!desk.executor.isOpened) {
      this.refusal = `${reason}: ${wayOut}`;
      return NOTHING;
    }
    // Books that were open before: the bot goes on reading and resolving, and sends nothing.
    const control = { kind: "halt", reason, wayOut } as const;
    return this.#resolve(desk, { kind: "event", event: { kind: "control", control, receivedAt: now.at } });
  }

  #resolve({ executor }: Desk, ...before: readonly Input[]): Next {
    this.#answers.clear();
    const isUnclear = ({ kind }: { readonly kind: string }) => kind === "doubt" || kind === "fenced";
    const open = [...executor.open()].filter(({ state }) => isUnclear(state)).length;
    if (open === 0) {
      this.#enter({ kind: "trading" });
      return { inputs: [...before, { kind: "strategy", strategy: this.strategy }], asks: [] };
    }
    if (this.phase.kind !== "resolving" || this.phase.open !== open) this.#enter({ kind: "resolving", open });
    return { inputs: before, asks: [] };
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.isOver = phase.kind === "trading";
    this.#watch.phase?.(phase);
  }
}

/** What can be minted: a coin that is traded against its own fiat. */
function coinsOf({ engine }: Desk): readonly Asset[] {
  const coins = new Set<Asset>();
  for (const { base, quote } of engine.instruments.values()) if (base === `V${quote}`) coins.add(base);
  return [...coins];
}

function keyOf(of: { readonly witness: string; readonly asset?: Asset | undefined }): string {
  return of.asset === undefined ? of.witness : `${of.witness} ${of.asset}`;
}
