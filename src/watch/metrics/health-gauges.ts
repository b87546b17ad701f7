// Whether it is healthy: what runs, whether it is ready, how the process, the journal and the feeds are.

import { isTrading } from "../text/status-text.ts";
import { type Shelf, show } from "./closed.ts";
import type { Look } from "./look.ts";

export type Build = { readonly version: string; readonly mode: string; readonly environment: string };

export function createHealthGauges(shelf: Shelf, build: Build, feeds: readonly string[]): (look: Look) => void {
  shelf.gauge(["pegbot_build_info", "what runs; always 1"], ["version", "mode", "environment"]).set({ ...build }, 1);
  const started = shelf.gauge(["pegbot_start_timestamp_seconds", "when this process began, by its own clock"]);
  const ready = shelf.gauge(["pegbot_ready", "1 while the bot is ready to trade"]);
  const trading = shelf.gauge([
    "pegbot_trading",
    "1 while orders may leave, in REDUCED those that reduce; 0 during start, stop, HALTED, a freeze of everything and other trouble",
  ]);
  const lag = shelf.gauge(
    ["pegbot_event_loop_lag_seconds", "lateness of the event loop in the worst 5 seconds of the last minute"],
    ["stat"],
  );
  const memory = shelf.gauge(["pegbot_memory_bytes", "memory of the process"], ["kind"]);
  const writable = shelf.gauge([
    "pegbot_journal_writable",
    "0 while the journal takes no record at all; a full disk is told by pegbot_journal_failures_total",
  ]);
  const records = shelf.gauge(["pegbot_journal_records", "records in the journal"]);
  const bytes = shelf.gauge(["pegbot_journal_size_bytes", "size of the journal on disk"]);
  const up = shelf.gauge(["pegbot_feed_up", "1 while the feed answers and its prices are believed"], ["feed"]);
  const age = shelf.gauge(["pegbot_feed_age_seconds", "time since the last price of the feed"], ["feed"]);
  return ({ status, isReady, vitals }) => {
    started.set((status.startedAt ?? status.at) / 1_000);
    ready.set(isReady ? 1 : 0);
    trading.set(isTrading(status) ? 1 : 0);
    lag.set({ stat: "p50" }, vitals.lag.p50Ms / 1_000);
    lag.set({ stat: "p99" }, vitals.lag.p99Ms / 1_000);
    lag.set({ stat: "max" }, vitals.lag.maxMs / 1_000);
    memory.set({ kind: "resident" }, vitals.memory.residentBytes);
    memory.set({ kind: "heap" }, vitals.memory.heapBytes);
    writable.set(status.phase.kind === "unwritable" ? 0 : 1);
    show(records, status.journal.records);
    show(bytes, vitals.journalBytes);
    age.reset();
    for (const feed of feeds) {
      const shown = status.feeds.find(({ name }) => name === feed);
      up.set({ feed }, shown?.ageMs !== undefined && shown.trouble === undefined ? 1 : 0);
      if (shown?.ageMs !== undefined) age.set({ feed }, shown.ageMs / 1_000);
    }
  };
}
