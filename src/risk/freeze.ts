// A pause after something happened too often in a row: it runs from the last time, and every further one starts it anew.

import type { Millis } from "../domain/time.ts";
import type { Streak } from "./books.ts";
import { PASS, type Ruling } from "./rule.ts";
import { fewerThan, isKnown, refuse, refuseUnknown } from "./ruling.ts";

/** So many in a row, by the limit of this name. */
export type StreakLimit = { readonly name: string; readonly max: number; readonly freezeMs: number };

export function reviewFreeze(
  code: string,
  what: string,
  { count, lastAt }: Streak,
  { name, max, freezeMs }: StreakLimit,
  now: Millis,
): Ruling {
  if (count < max) return PASS;
  if (!isKnown(lastAt) || !isKnown(now)) return refuseUnknown(code, "time since the last one", `${freezeMs} ms`);
  const leftMs = lastAt + freezeMs - now;
  return leftMs <= 0 ? PASS : refuse(code, what, `${count} (frozen for ${leftMs} ms more)`, fewerThan(max, name));
}
