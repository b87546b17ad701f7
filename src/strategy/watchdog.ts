// Ends a process whose strategy never lets go of it. A process that loops hears no signal and no kill switch, so a thread
// of its own counts: a call that is still the same one after the bound ends the process by SIGALRM, with the strategy's
// name. In a bot, so does an event loop that has stopped turning: a timer or a promise of the strategy's own may loop, too.

import { url } from "node:inspector";
import { Worker } from "node:worker_threads";
import { printable } from "../domain/sanitise.ts";

/** For one call. A strategy that needs a part of it misses every quote anyway. */
export const CALL_MS_MAX = 30_000;
/** Looks within the bound: a process that was suspended is looked at once when it goes on, which is no call that lasts. */
const LOOKS = 60;
/** That many turns are expected within the bound: two a look. */
export const TURNS = 2 * LOOKS;
const NAME_BYTES = 256;
/** A busy disk may stop the event loop for seconds, also where tests shorten the bound of a call. */
const STILL_MS_MIN = 10_000;

const shared = new SharedArrayBuffer(12 + NAME_BYTES);
/** Of calls, of turns, and of work of our own that takes long. */
const calls = new Int32Array(shared, 0, 3);
const name = new Uint8Array(shared, 12);

/** Plain writes, because a backtest makes some at every quote. Odd: the strategy has the thread. */
export function callBegins(): void {
  calls[0] = ((calls[0] as number) + 1) | 1;
}

export function callEnds(): void {
  calls[0] = ((calls[0] as number) | 1) + 1;
}

/** To be called at each turn of the event loop, a few times a second. From the first on they are expected. */
export function loopTurns(): void {
  calls[1] = (calls[1] as number) + 1;
}

/** Reading a journal of years stops the event loop for longer than any strategy may. */
export function longWork<T>(work: () => T): T {
  calls[2] = (calls[2] as number) + 1;
  try {
    return work();
  } finally {
    calls[2] = (calls[2] as number) - 1;
    loopTurns();
  }
}

/** Whose calls they are from now on. */
export function nameCaller(strategy: string): void {
  name.fill(0);
  new TextEncoder().encodeInto(printable(strategy), name);
}

type Watch = {
  readonly callMsMax?: number;
  /** Where the halt of a bot is kept, and the line that ends it there. */
  readonly halt?: { readonly path: string; readonly by: string };
  /** A process that ends with this one as well. */
  readonly parent?: number;
};

/** The returned function ends the watch. Under a debugger there is none: a breakpoint lasts. */
export function watchCalls({ callMsMax = CALL_MS_MAX, halt, parent }: Watch): () => void {
  const isDebugged = url() !== undefined;
  const stillMsMax = Math.max(callMsMax, STILL_MS_MIN);
  const workerData = { shared, callMsMax, stillMsMax, lookMs: callMsMax / LOOKS, halt, parent, isDebugged };
  const worker = new Worker(WATCHDOG, { eval: true, workerData });
  worker.unref();
  return () => void worker.terminate();
}

/** As text, because a file would first have its types stripped. SIGKILL where the signal is ignored or unknown. */
const WATCHDOG = `
  const { appendFileSync, constants, writeSync } = require("node:fs");
  const { isatty } = require("node:tty");
  const { shared, callMsMax, stillMsMax, lookMs, halt, parent, isDebugged } = require("node:worker_threads").workerData;
  const calls = new Int32Array(shared, 0, 3);
  const never = new Int32Array(new SharedArrayBuffer(4));
  const tried = (work) => { try { work(); } catch (error) { return error.code ?? error.message; } };
  let [last, looks, lastTurn, still] = [0, 0, 0, 0];
  while (looks < ${LOOKS} && still * lookMs < stillMsMax) {
    Atomics.wait(never, 0, 0, lookMs);
    if (parent !== undefined && process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    const now = Atomics.load(calls, 0);
    looks = now === last && now % 2 !== 0 && !isDebugged ? looks + 1 : 0;
    last = now;
    const turn = Atomics.load(calls, 1);
    still = turn === lastTurn && turn !== 0 && Atomics.load(calls, 2) === 0 && !isDebugged ? still + 1 : 0;
    lastTurn = turn;
  }
  const name = Buffer.from(new Uint8Array(shared, 12)).toString().replace(/[\\0\\ufffd]+$/, "");
  const reason = "strategy " + name + (looks >= ${LOOKS}
    ? " did not return from a call for " + callMsMax / 1000
    : " stopped the process in a timer or a promise of its own (or a disk did), for " + stillMsMax / 1000) + " s";
  const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const append = () => appendFileSync(halt.path, "\\n" + reason + "\\n" + halt.by + "\\n", { mode: 0o600, flush: true, flag });
  const unkept = halt && tried(append);
  const next = halt === undefined ? "" : unkept === undefined ? ". The next start is HALTED"
    : ". " + halt.path + " cannot be written (" + unkept + "): pegbot halt before the next start";
  if (isatty(1)) tried(() => writeSync(1, "\\x1b7\\x1b[?25h\\x1b[?1049l"));
  tried(() => writeSync(2, "pegbot: " + reason + ": this process ends" + next + "\\n"));
  tried(() => process.kill(process.pid, "SIGALRM"));
  Atomics.wait(never, 0, 0, 1000);
  process.kill(process.pid, "SIGKILL");
`;
