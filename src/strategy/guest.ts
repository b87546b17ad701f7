// A strategy is a guest in the process. While one may run, `process.exit` throws, so that it stops the strategy as any
// other error and cannot end a bot in the middle of a step or a backtest silently. An error thrown later, in the
// strategy's own timer or promise, is reported as the strategy's.

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

/** Names by the number of their load. */
const guests = new Map<string, string>();

/** Registers the guest, so that its errors are attributed to it. */
export function welcomeGuest(load: string, name: string): void {
  guests.set(load, name);
}

/** File, load and line of a guest, innermost first. */
const MARKED = new RegExp(String.raw`([^/\\\s(]+)\?${GUEST_MARK}=(\d+):(\d+)`);

/** The guest's place on a stack, as `first.ts:12`; undefined if it is not there. */
export function guestPlace(stack: string): string | undefined {
  const [, file, , line] = MARKED.exec(stack) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}

/**
 * Attributes an uncaught error to a guest: errors during a call are caught there, so this came from its own timer or
 * promise. Undefined if no guest is on the stack.
 */
export function strayError(error: unknown): string | undefined {
  const load = MARKED.exec(stackOf(error))?.[2];
  return load === undefined ? undefined : strayText(guests.get(load), error);
}

export function strayText(strategy: string | undefined, error: unknown): string {
  const who = strategy === undefined ? "a strategy" : `strategy ${strategy}`;
  return `${who} threw in a timer or a promise of its own, where nothing can catch it: ${textOf(error)}`;
}

export const STRAY_NEXT =
  "a strategy answers at once, so leave timers and promises out of it (docs/guides/strategy.md)";

function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
