// A strategy is a guest in the process: while one may run, `process.exit` throws for it, so that it is stopped as for any other
// error, and does not end a bot in the middle of a step, or a backtest without a word, with an exit code of its choosing. What
// it throws later, in a timer or a promise of its own, is told as its own mistake.

import { printable } from "../domain/sanitise.ts";
import { textOf } from "./error-text.ts";

let hosts = 0;
let exit = process.exit;

/** Until what it gives back is called, and as long as anybody else keeps them in. */
export function keepGuestsIn(): () => void {
  if (hosts++ === 0) {
    exit = process.exit;
    process.exit = refuseToExit;
  }
  return () => {
    if (--hosts === 0) process.exit = exit;
  };
}

/** The place of it is that of whoever called. */
function refuseToExit(): never {
  const refusal = new Error("process.exit would end the bot: a strategy must answer with proposals, or throw");
  Error.captureStackTrace(refusal, refuseToExit);
  throw refusal;
}

/** In the address of each module of a guest, with the number of its load. */
export const GUEST_MARK = "pegbot-load";

type Guest = { readonly path: string; readonly name: string };
const guests = new Map<string, Guest>();

/** From now on what it throws is known for its own. */
export function welcomeGuest(load: string, guest: Guest): void {
  guests.set(load, guest);
}

/** File, load and line of a guest, innermost first. */
const MARKED = new RegExp(String.raw`([^/\\\s(]+)\?${GUEST_MARK}=(\d+):(\d+)`);

/** Where a guest stands on a stack, as `first.ts:12`; undefined where it does not, or is no module. */
export function guestPlace(stack: string): string | undefined {
  const [, file, , line] = MARKED.exec(stack) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}

/**
 * What nobody caught, if a guest threw it: whatever it throws where it is asked is caught there, so this was a timer or a promise
 * of its own. Undefined where it is not on the stack, and where what has none was thrown while no guest may run.
 */
export function strayError(error: unknown): string | undefined {
  const stack = stackOf(error);
  const load = MARKED.exec(stack)?.[2];
  if (load !== undefined) return strayText(guests.get(load)?.name, error);
  // One that is required and not imported has no mark.
  const guest = [...guests.values()].find(({ path }) => stack.includes(`${path}:`));
  if (guest !== undefined) return strayText(guest.name, error);
  // pegbot throws errors only, so nobody else can have thrown this; of several it is the one that came last.
  const last = hosts > 0 && isNoError(error) ? [...guests.values()].at(-1) : undefined;
  return last && strayText(last.name, error);
}

export function strayText(strategy: string | undefined, error: unknown): string {
  const who = strategy === undefined ? "a strategy" : `strategy ${strategy}`;
  const what = rejectedWith(error) ?? textOf(error);
  return `${who} threw in a timer or a promise of its own, where nothing can catch it: ${what}`;
}

export const STRAY_NEXT = "a strategy answers at once, so leave timers and promises out of it (docs/STRATEGY.md)";

function isNoError(error: unknown): boolean {
  return !(error instanceof Error) || rejectedWith(error) !== undefined;
}

/** A promise that was rejected with no error comes as one of the runtime, which has the value in its words alone. */
function rejectedWith(error: unknown): string | undefined {
  try {
    if ((error as { code?: unknown } | undefined)?.code !== "ERR_UNHANDLED_REJECTION") return undefined;
    const value = /rejected with the reason "(.*)"\.$/s.exec((error as Error).message)?.[1];
    return value && printable(value);
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
