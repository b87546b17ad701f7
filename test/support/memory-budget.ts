// The budget of a key in memory, on whatever clock it is given.

import type { Clock, Mono, Timers } from "../../src/domain/time.ts";
import { KeyBudget } from "../../src/exchange/budget/budget.ts";
import { InMemory } from "../../src/exchange/budget/slots.ts";

/** `openAt`: when the first slot opens, where an earlier process of the key may still have a request out. */
export function memoryBudget(clock: Clock, timers: Timers, openAt: Mono = clock.monotonic()): KeyBudget<InMemory> {
  const host = { boot: "memory", monotonic: () => clock.monotonic() };
  return new KeyBudget(new InMemory(openAt), { clock, host, timers });
}
