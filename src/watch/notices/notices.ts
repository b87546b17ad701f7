// Messages to people: what is worth one goes to every channel, once in a while for the same thing, in the words of its
// template, and never with a secret in it. Telling people cannot hold or stop the bot.

import { type Clock, type Millis, type Mono, millis, type Timers } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import type { Status } from "../status.ts";
import type { Channel } from "./channel.ts";
import { createDoubtNotices, type TitleOf } from "./doubt-notices.ts";
import { type KeptText, type Message, type Notice, type NoticeKind, render, TEMPLATES } from "./notice.ts";
import { createOutbox } from "./outbox.ts";
import { createRecordNotices, type RecordSettings, stopNotice } from "./record-notices.ts";
import { createSummary } from "./summary.ts";
import { createTreasuryNotices } from "./treasury-notices.ts";

export type NoticeSettings = RecordSettings & {
  readonly titleOf?: TitleOf | undefined;
  /** Minutes after midnight, UTC; undefined for no summary. */
  readonly summaryMinute: number | undefined;
  /** Where the last summary ended, over restarts. */
  readonly summaryMemory?: KeptText | undefined;
  /** The same thing is not told again within this. */
  readonly repeatMs: number;
  readonly perHourMax: number;
  readonly templates: { readonly [kind in NoticeKind]?: string | undefined };
  /** What stands before every message: which bot it is. */
  readonly name: string;
};

export type NoticeParts = {
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: NoticeSettings;
  /** What must never leave, whatever text it got into. */
  readonly secrets: readonly string[];
  readonly told: (channel: Channel["name"], outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;
};

export interface Notices {
  record(record: JournalRecord): void;
  look(status: Status): void;
  /** `wayOut`: what follows once the cause is mended, where that alone is not enough. */
  trouble(code: string, message: string, wayOut?: string): void;
  /** What is not as it should be on the machine of the bot, which goes on. */
  warn(what: string): void;
  /** A test that messages arrive. */
  test(by: string): void;
  close(): void;
}

const MASK = "***";

export function createNotices({ channels, clock, timers, settings, secrets, told }: NoticeParts): Notices {
  const doubts = createDoubtNotices(settings.titleOf);
  const ofRecord = createRecordNotices(settings, doubts);
  const ofTreasury = createTreasuryNotices();
  const summaryOf = createSummary(settings.summaryMinute, settings.summaryMemory);
  const toldAt = new Memory<Mono>();
  let resumes = 0;
  const outboxes = channels.map((channel) =>
    createOutbox(channel, {
      clock,
      timers,
      perHourMax: settings.perHourMax,
      told: (outcome, reason) => told(channel.name, outcome, reason === undefined ? undefined : masked(reason)),
    }),
  );

  function masked(text: string): string {
    return secrets.reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, MASK)), text);
  }

  function isNews(key: string): boolean {
    const now = clock.monotonic();
    const before = toldAt.get(key);
    if (before !== undefined && now - before < settings.repeatMs) return false;
    toldAt.set(key, now);
    return true;
  }

  function tell(notices: readonly Notice[]): void {
    for (const notice of notices) {
      // What stops the bot after a resume is another stop, though it may have the same reason.
      if (!isNews(notice.kind === "stop" ? `${resumes}:${notice.key}` : notice.key)) continue;
      if (notice.kind === "resume") resumes++;
      const message = messageOf(notice);
      for (const outbox of outboxes) outbox.put(message);
    }
  }

  function messageOf({ kind, urgency, at, fields }: Notice): Message {
    // Before they are cut: half a secret would not be known again.
    const harmless = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, masked(value)]));
    const text = masked(render(settings.templates[kind] ?? TEMPLATES[kind], harmless));
    return { kind, urgency, at, title: masked(`${settings.name}: ${kind}`), text };
  }

  const at = (): Millis => millis(clock.now());
  return {
    record: (record) => tell(ofRecord(record)),
    look(status) {
      const summary = summaryOf(status);
      tell([...doubts.ofStatus(status), ...ofTreasury(status), ...(summary === undefined ? [] : [summary])]);
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
