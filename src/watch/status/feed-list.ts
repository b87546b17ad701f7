// Price sources: the age of the last price, and the problems of each.

import type { Clock, Millis } from "../../domain/time.ts";
import type { Complaint } from "../../market/complaint.ts";
import type { ShownFeed } from "../status.ts";

/** The source name in its quotes. */
export const VENUE = "venue";

type Known = {
  heardAt: Millis | undefined;
  trouble: string | undefined;
};

/** `references` are listed from the start, whether or not they ever send a price. */
export function createFeedList(clock: Pick<Clock, "now">, references: readonly string[] = []) {
  const feeds = new Map<string, Known>();
  for (const name of [VENUE, ...references]) feed(name);

  function feed(name: string): Known {
    const known = feeds.get(name) ?? { heardAt: undefined, trouble: undefined };
    feeds.set(name, known);
    return known;
  }

  return {
    /** A price of this source was processed. */
    heard(name: string, at: Millis) {
      feed(name).heardAt = at;
    },
    trouble(name: string, reason: string | undefined) {
      feed(name).trouble = reason;
    },
    /** Whether the source itself reports why it does not answer. */
    isFailing: (name: string) => feeds.get(name)?.trouble !== undefined,
    /** `complaints`: problems with the prices of these sources. */
    list(complaints: readonly Complaint[] = []): readonly ShownFeed[] {
      const now = clock.now();
      return Array.from(feeds, ([name, { heardAt, trouble }]) => ({
        name,
        kind: name === VENUE ? "venue" : "reference",
        ageMs: heardAt === undefined ? undefined : Math.max(0, now - heardAt),
        trouble: trouble ?? complaints.find(({ source }) => source === name)?.text,
      }));
    },
  };
}
