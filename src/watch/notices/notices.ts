// Notices to people: each notice goes to every channel in the words of its template, is not repeated within `repeatMs`,
// and never contains a secret. Sending cannot block or stop the bot.

import { redacted } from "../../domain/redact.ts";
import { type Clock, type Millis, type Mono, millis, type Timers } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import type { Status } from "../status.ts";
import type { Channel } from "./channel.ts";
import { createDoubtNotices, type TitleOf } from "./doubt-notices.ts";
import { type Message, type Notice, type NoticeKind, render, TEMPLATES } from "./notice.ts";
import { createOutbox } from "./outbox.ts";
import { createRecordNotices, type RecordSettings, stopNotice } from "./record-notices.ts";
import { createTreasuryNotices } from "./treasury-notices.ts";

export type NoticeSettings = RecordSettings & {
  readonly titleOf?: TitleOf | undefined;
  /** The same notice is not sent again within this time. */
  readonly repeatMs: number;
  readonly perHourMax: number;
  readonly templates: { readonly [kind in NoticeKind]?: string | undefined };
  /** Precedes every message and names the bot. */
  readonly name: string;
};

export type NoticeParts = {
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: NoticeSettings;
  readonly told: (channel: Channel["name"], outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;
};

export interface Notices {
  record(record: JournalRecord): void;
  look(status: Status): void;
  /** `wayOut`: the next step after the cause is fixed, where fixing it alone is not enough. */
  trouble(code: string, message: string, wayOut?: string): void;
  /** Reports a problem of the bot's machine that does not stop the bot. */
  warn(what: string): void;
  /** Sends a test message. */
  test(by: string): void;
  close(): void;
}

export function createNotices({ channels, clock, timers, settings, told }: NoticeParts): Notices {
  const doubts = createDoubtNotices(settings.titleOf);
  const ofRecord = createRecordNotices(settings, doubts);
  const ofTreasury = createTreasuryNotices();
  const toldAt = new Memory<Mono>();
  let resumes = 0;
  const outboxes = channels.map((channel) =>
    createOutbox(channel, {
      clock,
      timers,
      perHourMax: settings.perHourMax,
      told: (outcome, reason) => told(channel.name, outcome, reason),
    }),
  );

  function isNews(key: string): boolean {
    const now = clock.monotonic();
    const before = toldAt.get(key);
    if (before !== undefined && now - before < settings.repeatMs) return false;
    toldAt.set(key, now);
    return true;
  }

  function tell(notices: readonly Notice[]): void {
    for (const notice of notices) {
      // A stop after a resume is a new stop, even for the same reason.
      if (!isNews(notice.kind === "stop" ? `${resumes}:${notice.key}` : notice.key)) continue;
      if (notice.kind === "resume") resumes++;
      const message = messageOf(notice);
      for (const outbox of outboxes) outbox.put(message);
    }
  }

  function messageOf({ kind, urgency, at, fields, about, ends }: Notice): Message {
    const text = render(settings.templates[kind] ?? TEMPLATES[kind], fields);
    return { kind, urgency, at, title: redacted(`${settings.name}: ${kind}`), text, about, ends };
  }

  const at = (): Millis => millis(clock.now());
  return {
    record: (record) => tell(ofRecord(record)),
    look(status) {
      tell([...doubts.ofStatus(status), ...ofTreasury(status)]);
    },
    trouble(code, message, after = "pegbot status says more") {
      const halt = { cause: "journal", subject: code, reason: `${code}: ${message}`, by: "bot" } as const;
      tell([stopNotice("HALTED", { ...halt, wayOut: `mend the cause; ${after}` }, at())]);
    },
    warn: (what) => tell([{ kind: "machine", urgency: "warning", key: `machine:${what}`, at: at(), fields: { what } }]),
    test: (by) => tell([{ kind: "test", urgency: "info", key: "test", at: at(), fields: { by } }]),
    close: () => {
      for (const outbox of outboxes) outbox.close();
    },
  };
}
