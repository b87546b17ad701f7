// A strategy is a guest in the process. While one may run, `process.exit` throws, so that it stops the strategy as any
// other error and cannot end a bot in the middle of a step or a backtest silently. An error thrown later, in the
// strategy's own timer or promise, is reported as the strategy's.

import { printable } from "../domain/sanitise.ts";
import { textOf } from "./error-text.ts";

let hosts = 0;
let exit = process.exit;

/** Active until the returned function is called, and while another caller keeps it active. */
export function keepGuestsIn(): () => void {
  if (hosts++ === 0) {
    exit = process.exit;
    process.exit = refuseToExit;
  }
  return () => {
    if (--hosts === 0) process.exit = exit;
  };
}

/** The stack names the caller. */
function refuseToExit(): never {
  const refusal = new Error("process.exit would end the bot: a strategy must answer with proposals, or throw");
  Error.captureStackTrace(refusal, refuseToExit);
  throw refusal;
}

/** Part of the URL of each guest module, with the number of its load. */
export const GUEST_MARK = "pegbot-load";

type Guest = { readonly path: string; readonly name: string };
const guests = new Map<string, Guest>();

/** Registers the guest, so that its errors are attributed to it. */
export function welcomeGuest(load: string, guest: Guest): void {
  guests.set(load, guest);
}

/** File, load and line of a guest, innermost first. */
const MARKED = new RegExp(String.raw`([^/\\\s(]+)\?${GUEST_MARK}=(\d+):(\d+)`);

/** The guest's place on a stack, as `first.ts:12`; undefined if it is not there or is not a module. */
export function guestPlace(stack: string): string | undefined {
  const [, file, , line] = MARKED.exec(stack) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}

/**
 * Attributes an uncaught error to a guest: errors during a call are caught there, so this came from its own timer or
 * promise. Undefined if no guest is on the stack, or a value without a stack was thrown while no guest may run.
 */
export function strayError(error: unknown): string | undefined {
  const stack = stackOf(error);
  const load = MARKED.exec(stack)?.[2];
  if (load !== undefined) return strayText(guests.get(load)?.name, error);
  // A required file, unlike an imported one, has no mark.
  const guest = [...guests.values()].find(({ path }) => stack.includes(`${path}:`));
  if (guest !== undefined) return strayText(guest.name, error);
  // pegbot throws only Errors, so a guest threw this; among several, the last loaded.
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

/** A promise rejected with a non-Error arrives as an error of the runtime that has the value only in its message. */
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
