// A stop that could not be written beside its journal, kept beside the ledger of the key: on another disk, perhaps, and always in
// another folder. Whoever opens the journal next, the bot or a command that moves money, takes it over before anything is sent; `resume` does so too.

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeLeftoversBeside } from "../../disk/fresh-file.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { Standing } from "../../risk/standing.ts";
import type { Spare } from "./guard.ts";
import { killFilePath, type LatchFile, latchPath, openLatch, removeLatch } from "./latch-file.ts";

type Taken = { readonly standing: Standing; remove(): void };

export interface SpareLatch extends Spare {
  standing(): Standing;
  takenOverBy(latch: Pick<LatchFile, "tighten">): Result<unknown>;
  /** The same for a journal that may not become the key's own: it stays here for the one that is. */
  copiedTo(latch: Pick<LatchFile, "tighten">): Result<unknown>;
}

/** One for each environment of a key, which has one journal there. */
export function spareAt(ledgerFolder: string, environment: string, clock: Pick<Clock, "now">): SpareLatch {
  const path = join(ledgerFolder, `stop-${environment}`);
  const open = (): LatchFile => openLatch(path, clock, false);
  const clear = (): void => {
    try {
      removeLatch(path);
    } catch {
      // It stops the next start once more: a person resumes twice, and nothing leaves meanwhile.
    }
  };
  /** Under a name of our own; undefined where nothing is left to move. */
  const takenAway = (): Taken | undefined => {
    const own = `${path}-taken-${process.pid}`;
    try {
      renameSync(latchPath(path), latchPath(own));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    return { standing: openLatch(own, clock, true).standing(), remove: () => removeLatch(own) };
  };
  return {
    put(standing) {
      const written = open().tighten(standing);
      return written.ok ? undefined : written.error;
    },
    clear,
    standing: () => open().standing(),
    takenOverBy(latch) {
      removeLeftoversBeside(path, clock.now());
      const standing = open().standing();
      if (standing.state === "ACTIVE") return ok(standing);
      const taken = latch.tighten(standing);
      if (!taken.ok) return taken;
      try {
        // A running bot may have put another stop here meanwhile: it is looked at where nobody writes, before it is removed.
        const last = takenAway();
        const rest = last === undefined ? taken : latch.tighten(last.standing);
        if (!rest.ok && last !== undefined) open().tighten(last.standing);
        last?.remove();
        rmSync(killFilePath(path), { force: true });
        return rest;
      } catch {
        // It stops the next start once more: a person resumes twice, and nothing leaves meanwhile.
        return taken;
      }
    },
    copiedTo(latch) {
      const standing = open().standing();
      return standing.state === "ACTIVE" ? ok(standing) : latch.tighten(standing);
    },
  };
}
