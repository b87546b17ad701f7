// Where prices come from, and whether they come: told by whoever hears them or fails to.

import type { Clock, Millis } from "../../domain/time.ts";
import type { Complaint } from "../../market/complaint.ts";
import type { ShownFeed } from "../../telemetry/status.ts";

/** What its quotes call it. */
export const VENUE = "venue";

export interface FeedList {
  heard(name: string, at: Millis): void;
  trouble(name: string, reason: string | undefined): void;
  /** Whether it says itself why it does not answer. */
  isFailing(name: string): boolean;
  /** With what the engine has against their prices. */
  list(complaints?: readonly Complaint[]): readonly ShownFeed[];
}

type Known = { heardAt: Millis | undefined; trouble: string | undefined };

export function createFeedList(clock: Pick<Clock, "now">): FeedList {
  const feeds = new Map<string, Known>([[VENUE, { heardAt: undefined, trouble: undefined }]]);

  function feed(name: string): Known {
    const known = feeds.get(name) ?? { heardAt: undefined, trouble: undefined };
    feeds.set(name, known);
    return known;
  }

  return {
    heard(name, at) {
      feed(name).heardAt = at;
    },
    trouble(name, reason) {
      feed(name).trouble = reason;
    },
    isFailing: (name) => feeds.get(name)?.trouble !== undefined,
    list(complaints = []) {
      const now = clock.now();
      return Array.from(feeds, ([name, { heardAt, trouble }]) => ({
        name,
        kind: name === VENUE ? "venue" : "reference",
        ageMs: heardAt === undefined ? undefined : Math.max(0, now - heardAt),
        trouble: both(
          trouble,
          complaints.find(({ source }) => source === name),
        ),
      }));
    },
  };
}

/** Why it fails says more than what is wrong with its last price, but not what follows for others. */
function both(trouble: string | undefined, complaint: Complaint | undefined): string | undefined {
  if (trouble === undefined || complaint?.isForOthers === undefined) return trouble ?? complaint?.text;
  return `${trouble}; ${complaint.text}`;
}
