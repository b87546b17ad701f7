// A pause after something happened too often in a row: it runs from the last time, and every further one starts it anew.

import type { Millis } from "../domain/time.ts";
import type { Streak } from "./books.ts";
import { PASS, type Ruling } from "./rule.ts";
import { isKnown, refuse, refuseUnknown } from "./ruling.ts";

export function reviewFreeze(
  code: string,
  what: string,
  { count, lastAt }: Streak,
  { max, freezeMs, now }: { readonly max: number; readonly freezeMs: number; readonly now: Millis },
): Ruling {
  if (count < max) return PASS;
  if (!isKnown(lastAt) || !isKnown(now)) return refuseUnknown(code, "time since the last one", `${freezeMs} ms`);
  const leftMs = lastAt + freezeMs - now;
  return leftMs <= 0 ? PASS : refuse(code, what, `${count} (frozen for ${leftMs} ms more)`, max - 1);
}
