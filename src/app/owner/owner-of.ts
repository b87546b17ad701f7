// What every owner of a key does for those who ask, whether it stays or lasts as long as one command.

import { LineClosed, type OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { Exchange } from "../../exchange/port.ts";
import type { Owner } from "../../operation/owner.ts";
import { joined, type Stop, stopsOf, type TradingState, withoutFigures } from "../../risk/trading-state.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { controlsFrom, type KillFile } from "../kill-switch/kill-file.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import { planAnswers } from "./plan-answers.ts";

export type OwnerParts = {
  readonly config: Config;
  readonly line: OperationLine;
  readonly killFile: Pick<KillFile, "remove">;
  readonly clock: Clock;
  readonly board: Pick<StatusBoard, "snapshot" | "fills" | "tradingCore" | "phase">;
  /** The stops that the journal may not have: of the kill file, and of this process's memory. */
  readonly killSwitch: Pick<KillSwitch, "standing"> & { readonly kill: Owner["halt"] };
  /** Absent where the venue is not opened. */
  readonly exchange?: Exchange;
};

export function ownerOf(parts: OwnerParts): Owner {
  const { config, line, board, killSwitch, exchange } = parts;
  return {
    model: { status: () => board.snapshot(), fills: () => board.fills },
    halt: killSwitch.kill,
    resume: (reason, by, seen) => unlessClosed(resumed(parts, { kind: "resume", reason, by }, seen)),
    heartbeat: (by) => unlessClosed(heard(parts, by)),
    ...planAnswers({ config, line, killFile: killSwitch }),
    ...(exchange && { exchange, prices: () => line.prices() }),
  };
}

async function heard({ line, clock }: OwnerParts, by: string): ReturnType<Owner["heartbeat"]> {
  const at = clock.now();
  await line.take({ kind: "control", control: { kind: "heartbeat", by } });
  return ok(at);
}

function unlessClosed<T>(work: Promise<Result<T>>): Promise<Result<T>> {
  return work.catch((error: unknown) => {
    if (error instanceof LineClosed) return err(error.message);
    throw error;
  });
}

/**
 * The journal has every stop before the kill file is removed, and the resume after that: a process that ends anywhere
 * in between leaves the bot halted. A stop that comes meanwhile is in file or journal, and is not resumed unseen.
 */
async function resumed(
  { line, killFile, killSwitch, board }: OwnerParts,
  control: Control,
  seen: readonly string[],
): ReturnType<Owner["resume"]> {
  const known = (): TradingState | undefined => board.tradingCore?.books.counters.tradingState;
  if (board.phase.kind === "unwritable") return err(`not resumed: ${board.snapshot().phase.text}`);
  const before = known();
  if (before === undefined) return err("not resumed: the owner of the key still reads its journal; ask again");
  const whyNot = (now: TradingState): string | undefined => {
    const standing = joined(killSwitch.standing(), now);
    if (standing.state === "ACTIVE") return "ACTIVE already: there is nothing to take back";
    const unseen = unseenOf(stopsOf(standing), seen);
    return unseen && `not resumed: ${unseen.state} for a reason that was not seen: ${unseen.reason}; look again`;
  };
  const obstacle = whyNot(before);
  if (obstacle !== undefined) return err(obstacle);
  for (const stop of controlsFrom(killSwitch.standing(), before)) await line.take({ kind: "control", control: stop });
  const { refusal } = await line.take({
    kind: "control",
    control,
    unless(now) {
      const removed = whyNot(now) ?? killFile.remove();
      if (typeof removed === "string") return removed;
      return removed.ok ? undefined : `not resumed: ${removed.error}`;
    },
  });
  return refusal === undefined ? ok(known() ?? before) : err(refusal.message);
}

/** Each seen reason matches one stop: the one with the identical text, or else one that differs only in figures. */
function unseenOf(stops: readonly Stop[], seen: readonly string[]): Stop | undefined {
  const reasons = [...seen];
  const isNamed = (found: (reason: string) => boolean): boolean => {
    const place = reasons.findIndex(found);
    if (place !== -1) reasons.splice(place, 1);
    return place !== -1;
  };
  const others = stops.filter((stop) => !isNamed((reason) => reason === stop.reason));
  return others.find((stop) => !isNamed((reason) => withoutFigures(reason) === withoutFigures(stop.reason)));
}
