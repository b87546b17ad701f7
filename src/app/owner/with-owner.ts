// Asks the owner of a key. Without one the process becomes it, headless; when a bot starts meanwhile, the process makes
// way and goes on as its client.

import { randomInt } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { personHere } from "../../operation/person.ts";
import { KeyHeld } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { YIELD } from "./answer.ts";
import { type Ask, askThrough, Lost, NoOwner, OwnerEnded } from "./client.ts";
import { type AskedAlone, type HeadlessOrder, openHeadless, Yielded } from "./headless.ts";

/** How long an owner that starts or ends may be without a socket. */
const PATIENCE_MS = 30_000;
const AGAIN_MS_MIN = 50;
const AGAIN_MS_MAX = 250;

export async function withOwner<T>(
  shell: Shell,
  order: HeadlessOrder,
  stop: AbortSignal,
  work: (ask: Ask) => Promise<T>,
  open: (shell: Shell, order: HeadlessOrder, stop: AbortSignal) => Promise<AskedAlone> = openHeadless,
): Promise<T> {
  const client = askThrough(order.config.journal.path, stop);
  let headless: AskedAlone | undefined;
  const ask: Ask = async (name, request, hear) => {
    let until = shell.clock.monotonic() + PATIENCE_MS;
    let hasYielded = false;
    for (;;) {
      try {
        const last = await (headless?.ask ?? client)(name, request, hear);
        const isOver = headless === undefined && last.kind === "failed" && last.again === true;
        if (!isOver) return last;
        throw new NoOwner(last.error);
      } catch (error) {
        // A preview, or a question, has changed nothing where the owner ended first.
        const isHarmless = request.step === "preview" || request.input === undefined;
        const isOver = error instanceof OwnerEnded && isHarmless && shell.clock.monotonic() < until;
        if (!(error instanceof Yielded || error instanceof NoOwner || isOver)) throw error;
        if (error instanceof Yielded) until = shell.clock.monotonic() + PATIENCE_MS;
        hasYielded ||= error instanceof Yielded;
        if (error instanceof Yielded) shell.terminal.note("a bot has started on this key: it goes on there");
        await headless?.close();
        // After making way, the bot needs a moment for its socket.
        headless =
          error instanceof Yielded
            ? undefined
            : await opened(shell, () => open(shell, order, stop), until).catch(lost(hasYielded));
        if (headless === undefined) await pause(systemTimers, randomInt(AGAIN_MS_MIN, AGAIN_MS_MAX));
      }
    }
  };
  try {
    return await work(ask);
  } finally {
    await headless?.close();
  }
}

/** After making way something may have been sent, so that no failure says otherwise. */
function lost(hasYielded: boolean): (error: unknown) => never {
  return (error) => {
    throw hasYielded ? new Lost(exitCode.failed, errorMessage(error)) : error;
  };
}

/** Undefined while the key has an owner, whose socket may open or close at this moment. */
async function opened(
  { clock }: Shell,
  open: () => Promise<AskedAlone>,
  until: number,
): Promise<AskedAlone | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof KeyHeld && clock.monotonic() < until) return undefined;
    throw error;
  }
}

// A bot that starts while a command owns its key asks it to make way; another bot does not.

export async function takenOver<T>({ clock }: Shell, { journal }: Config, open: () => Promise<T>): Promise<T> {
  const until = clock.monotonic() + PATIENCE_MS;
  const ask = askThrough(journal.path);
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof KeyHeld) || clock.monotonic() > until) throw error;
      const answer = await ask(YIELD, { by: personHere(), input: undefined }, () => undefined).catch(
        (why: unknown) => why,
      );
      // It may close its socket at this very moment.
      const isMakingWay =
        answer instanceof NoOwner || answer instanceof Lost || (answer as { kind?: string }).kind === "answer";
      if (!isMakingWay) throw error;
      await pause(systemTimers, randomInt(AGAIN_MS_MIN, AGAIN_MS_MAX));
    }
  }
}
