// `--watch`: each save of the strategy's file becomes a new strategy, or a reason why it did not and the old one stays.
// Only the file itself is watched, not what it imports; editors replace a file rather than write to it, so it is its
// folder that is looked at.

import { hash } from "node:crypto";
import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { Observable } from "rxjs";
import type { Result } from "../../domain/result.ts";
import type { Timers } from "../../domain/time.ts";
import type { Strategy } from "../../strategy/prepare.ts";

/** A save is several events: it is over when none came for this long. */
const QUIET_MS = 200;

export type WatchParts = {
  readonly load: () => Promise<Result<Strategy>>;
  readonly timers: Timers;
  readonly say: (text: string) => void;
};

export function watchStrategy(path: string, { load, timers, say }: WatchParts): Observable<Strategy> {
  return new Observable((subscriber) => {
    let last = fingerprint(path);
    let cancel = (): void => {};
    const reload = async (): Promise<void> => {
      const now = fingerprint(path);
      if (now === undefined) return say(`${path} is gone: the strategy that was loaded from it goes on`);
      if (now === last) return;
      last = now;
      const loaded = await load();
      if (loaded.ok) subscriber.next(loaded.value);
      else say(`the saved strategy is not taken, the old one goes on: ${loaded.error}`);
    };
    const onChange = (_: string, name: string | null): void => {
      if (name !== null && name !== basename(path)) return;
      cancel();
      cancel = timers.after(QUIET_MS, () => void reload());
    };
    const watcher = watchedFolder(dirname(path), onChange, (reason) => say(`${path} is not watched: ${reason}`));
    return () => {
      cancel();
      watcher?.close();
    };
  });
}

/** A system that cannot watch any more folders must not stop a bot that trades. */
function watchedFolder(
  folder: string,
  onChange: (event: string, name: string | null) => void,
  onError: (reason: string) => void,
): FSWatcher | undefined {
  try {
    return watch(folder, onChange).on("error", (error) => onError(error.message));
  } catch (error) {
    onError(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Undefined while there is nothing to read. */
function fingerprint(path: string): string | undefined {
  try {
    return hash("sha256", readFileSync(path));
  } catch {
    return undefined;
  }
}
