// Decides which faults strike a request. Every rule counts the requests that it watches and draws from a stream of its
// own, so that the same seed and the same requests meet the same faults.

import type { Random } from "../domain/random.ts";
import { type FaultKind, type FaultOf, type FaultRule, watches } from "./fault.ts";
import type { EndpointName } from "./http/endpoint.ts";

/** The faults that strike one request; a kind strikes it at most once. */
export interface Struck {
  get<K extends FaultKind>(kind: K): FaultOf<K> | undefined;
  readonly kinds: readonly FaultKind[];
}

type Watched = { readonly rule: FaultRule; readonly random: Random; seen: number; struck: number };

export class FaultPlan {
  private readonly random: Random;
  private watched: Watched[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** Replaces every rule; counters start anew. */
  set(rules: readonly FaultRule[]): void {
    this.watched = rules.map((rule, i) => ({ rule, random: this.random.fork(`fault ${i}`), seen: 0, struck: 0 }));
  }

  list(): readonly { rule: FaultRule; seen: number; struck: number }[] {
    return this.watched.map(({ rule, seen, struck }) => ({ rule, seen, struck }));
  }

  draw(name: EndpointName, publicKey: string | undefined): Struck {
    const struck = new Map<FaultKind, FaultRule>();
    for (const one of this.watched) {
      const { rule } = one;
      if (!watches(rule, name) || (rule.publicKey !== undefined && rule.publicKey !== publicKey)) continue;
      one.seen++;
      if (struck.has(rule.fault) || !strikes(one)) continue;
      one.struck++;
      struck.set(rule.fault, rule);
    }
    return {
      get: <K extends FaultKind>(kind: K) => struck.get(kind) as FaultOf<K> | undefined,
      kinds: [...struck.keys()],
    };
  }
}

function strikes({ rule, random, seen, struck }: Watched): boolean {
  // Drawn whether or not it counts: the stream must not depend on the other conditions.
  const drawn = rule.probability === undefined || random.next() < rule.probability;
  if (rule.times !== undefined && struck >= rule.times) return false;
  if (rule.nth !== undefined) return [rule.nth].flat().includes(seen);
  return drawn;
}
