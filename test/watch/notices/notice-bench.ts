// A notifier with one channel that keeps what it is given, and a status to tell it.

import type { Channel } from "../../../src/watch/notices/channel.ts";
import type { Message } from "../../../src/watch/notices/notice.ts";
import { createNotices, type NoticeSettings } from "../../../src/watch/notices/notices.ts";
import type { ShownFill, Status } from "../../../src/watch/status.ts";
import { quietStatus } from "../look.ts";
import { virtualStage } from "./stage.ts";

const SETTINGS: NoticeSettings = { fillValueMin: 1_000, repeatMs: 900_000, perHourMax: 100, name: "pegbot test" };

const TOTALS: Status["totals"] = {
  ...{ approved: 0, refused: 0, fills: 0, roundTrips: 0, currency: "CHF", unvalued: 0, unvaluedFees: 0 },
  ...{ turnover: "0", fees: "0", mintFees: "0", railFees: "0", realised: "0", brought: "0" },
};

export function staged(settings: Partial<NoticeSettings> = {}) {
  const stage = virtualStage();
  const messages: Message[] = [];
  const channel: Channel = {
    name: "webhook",
    async send(message) {
      messages.push(message);
      return undefined;
    },
    close: () => {},
  };
  const notices = createNotices({
    ...stage,
    channels: [channel],
    settings: { ...SETTINGS, ...settings },
    told: () => {},
  });
  return {
    ...stage,
    notices,
    messages,
    texts: (): readonly string[] => messages.map(({ text }) => text),
    /** The status is looked at, and what follows is sent. */
    async look(change: Partial<Status>, fills: readonly ShownFill[] = []) {
      notices.look(quietStatus({ totals: TOTALS, ...change }), fills);
      await stage.pass(0);
    },
  };
}
