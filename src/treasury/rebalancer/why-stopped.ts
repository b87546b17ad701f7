// Whether plans rest, and why.

import type { Hands } from "./steward.ts";

/** What is in doubt is frozen: a plan that rests on it would only be refused. */
export function whyStopped({ engine, executor, now }: Hands): string | undefined {
  const { state } = engine.context.books;
  if (state !== "ACTIVE") return `the bot is ${state}`;
  const freeze = executor.freeze(now);
  return freeze.kind === "none" ? undefined : freeze.reason;
}
