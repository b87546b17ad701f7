// Builds the parts of a running bot's pipeline.

import { type Stats, unwatchFile, watchFile } from "node:fs";
import { NEVER, Observable } from "rxjs";
import type { PipelineParts } from "../../bot/bot.ts";
import type { Config } from "../../config/schema.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Clock } from "../../domain/time.ts";
import type { Decided, Journal } from "../../journal/journal.ts";
import { undeclaredIn } from "../../strategy/load-file.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { JournalMeter, JournalOperation } from "../../watch/metrics/meters.ts";
import { coreOf } from "../owner/core-of.ts";
import { ownerParts, type Saying, withRebalancer } from "../owner/owner-parts.ts";
import type { Bot } from "./bot.ts";
import { loadStrategy } from "./load-strategy.ts";

export function pipelineParts(bot: Bot): PipelineParts {
  const { shell, order, inForce, books, view, killSwitch, strategy, instance, metrics } = bot;
  const { config, watch, freshState = false } = order;
  const say: Saying = (level, event, text) => view.say(level, event, text);
  const trouble = (name: string, reason: string | undefined): void => view.board.trouble(name, reason);
  const shared = ownerParts(bot, killSwitch, say, trouble);
  return {
    ...shared,
    journal: timedJournal(books.journal, shell.clock, metrics.journal),
    makeCore: inForce.applied(withRebalancer(config, instance, coreOf(config, instance))),
    strategy,
    isFresh: freshState,
    strategies$: watch ? watchStrategy(config.strategy, (text) => view.say("warn", "strategy.kept", text)) : NEVER,
    watch: view.observer,
  };
}

// A journal that measures the duration of its writes and changes nothing else.

type Written = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: string } };

function timedJournal(journal: Journal, clock: Pick<Clock, "monotonic">, meter: JournalMeter): Journal {
  function tell<R extends Written>(operation: JournalOperation, since: number, result: R): R {
    meter.wrote(operation, clock.monotonic() - since, result.ok ? undefined : result.error.code);
    return result;
  }

  return {
    opening: journal.opening,
    writer: journal.writer,
    async append(records) {
      const since = clock.monotonic();
      return tell("append", since, await journal.append(records));
    },
    announce(records) {
      const since = clock.monotonic();
      return tell("announce", since, journal.announce(records));
    },
    async transact<T>(decide: () => Decided<T>) {
      let since = clock.monotonic();
      let isWrite = true;
      const result = await journal.transact(() => {
        const decided = decide();
        // The journal's own time starts here; without records there is nothing to sync.
        since = clock.monotonic();
        isWrite = decided.records.length > 0;
        return decided;
      });
      return isWrite ? tell("transact", since, result) : result;
    },
    read: (after, most) => journal.read(after, most),
    head: () => journal.head(),
    close: () => journal.close(),
  };
}

// `--watch`: each save of the strategy file loads a new strategy, or reports why it failed and keeps the old one. Only
// the file itself is watched, not its imports.

const LOOK_MS = 300;

function watchStrategy(strategy: Config["strategy"], say: (text: string) => void): Observable<Strategy> {
  const path = strategy.use;
  return new Observable((subscriber) => {
    const reload = async (file: Stats, before: Stats): Promise<void> => {
      if (file.mtimeMs === before.mtimeMs) return;
      if (file.mtimeMs === 0) return say(`${path} is gone: the strategy that was loaded from it goes on`);
      const loaded = await loadStrategy(strategy);
      const wrong = loaded.ok ? await undeclaredIn(path).catch(errorMessage) : loaded.error;
      if (loaded.ok && wrong === undefined) subscriber.next(loaded.value);
      else say(`the saved strategy is not taken, the old one goes on: ${wrong}`);
    };
    // Watched by name, because editors replace a file rather than write to it.
    watchFile(path, { interval: LOOK_MS }, reload);
    return () => unwatchFile(path, reload);
  });
}
