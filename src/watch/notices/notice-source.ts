// What is worth a message: from the records of the journal as they are written, and from the status now and then, which
// also shows what other processes did.

import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { FreshStart, JournalRecord } from "../../journal/record.ts";
import type { Status } from "../status.ts";
import { createDoubtNotices, type TitleOf } from "./doubt-notices.ts";
import { createFillNotices, type FillSettings } from "./fill-notices.ts";
import type { KeptText } from "./kept-text.ts";
import type { Notice } from "./notice.ts";
import { createPlanNotices, type IsWish } from "./plan-notices.ts";
import { controlNotices, stopNotice } from "./stop-notices.ts";
import { createSummary } from "./summary.ts";
import { createTreasuryNotices } from "./treasury-notices.ts";

export type SourceSettings = FillSettings & {
  readonly titleOf?: TitleOf | undefined;
  readonly isWish?: IsWish | undefined;
  /** Minutes after midnight, UTC; undefined for no summary. */
  readonly summaryMinute: number | undefined;
  /** Where the last summary ended, over restarts; absent where nothing is kept. */
  readonly summaryMemory?: KeptText | undefined;
  /** Which declined plans were told, over restarts. */
  readonly declineMemory?: KeptText | undefined;
  /** What the venue held when it was told, over restarts. */
  readonly heldMemory?: KeptText | undefined;
};

export interface NoticeSource {
  ofRecord(record: JournalRecord): readonly Notice[];
  ofStatus(status: Status): readonly Notice[];
  /** The journal cannot be written: then no record can tell it. */
  ofTrouble(trouble: Trouble, at: Millis): Notice;
}

type Trouble = { readonly code: string; readonly message: string; readonly wayOut?: string | undefined };

export function createNoticeSource(settings: SourceSettings): NoticeSource {
  const fills = createFillNotices(settings);
  const doubts = createDoubtNotices(settings.titleOf);
  const plans = createPlanNotices(settings.isWish);
  const treasury = createTreasuryNotices(settings);
  const summary = createSummary(settings.summaryMinute, settings.summaryMemory);

  function stepped(step: Step): readonly Notice[] {
    const { event, commands, at } = step;
    const notices: Notice[] = [];
    for (const command of commands)
      if (command.kind === "state") notices.push(stopNotice(command.state, { ...command, by: "bot" }, at));
    if (event.kind === "control") notices.push(...controlNotices(event.control, at));
    if (event.kind === "movement") notices.push(...doubts.ofMovement(event, at));
    notices.push(...fills(step));
    if (event.kind === "report") notices.push(...doubts.ofReport(event.clientOrderId, event.report, at));
    return notices;
  }

  return {
    ofRecord(record) {
      switch (record.kind) {
        case "step":
          return stepped(record.step);
        case "plan":
          plans.begun(record);
          return [];
        case "plan-progress":
          return plans.progressed(record);
        case "fresh-start":
          return [freshNotice(record)];
        case "control":
          return controlNotices(record.control, record.at);
        default:
          return [];
      }
    },
    ofStatus(status) {
      const notices = [...doubts.ofStatus(status), ...treasury(status)];
      const told = summary(status);
      return told === undefined ? notices : [...notices, told];
    },
    ofTrouble: troubleNotice,
  };
}

function troubleNotice({ code, message, wayOut = "pegbot status says more" }: Trouble, at: Millis): Notice {
  const reason = `${code}: ${message}`;
  return stopNotice(
    "HALTED",
    { cause: "journal", subject: code, reason, wayOut: `mend the cause; ${wayOut}`, by: "bot" },
    at,
  );
}

function freshNotice({ strategy, text, at }: FreshStart): Notice {
  const wayOut = 'pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more';
  return { kind: "strategy", urgency: "warning", key: `fresh:${strategy}:${text}`, at, fields: { what: text, wayOut } };
}
