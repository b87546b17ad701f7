// Live data for the pages that are open, as server-sent events: everything when one joins, then what each second brought. It
// is looked at once a second whoever watches, put into words once for all of them, and who cannot keep up is let go.

import type { ServerResponse } from "node:http";
import { printable } from "../domain/outside-text.ts";
import type { Timers } from "../domain/time.ts";
import type { ReadModel } from "./model/read-model.ts";

export interface Stream {
  /** False when too many watch already; those with the token are counted apart, so that nobody else takes their places. */
  join(response: ServerResponse, isTrusted: boolean): boolean;
  close(): void;
}

const EVERY_MS = 1_000;
/** A few pages on a few screens, with the token and without. */
const VIEWERS_MAX = 16;
/** What may wait for a page that does not read. */
const WAITING_BYTES_MAX = 2_000_000;
const TEXT_MAX = 400;

export type StreamParts = {
  readonly model: ReadModel;
  readonly timers: Timers;
  /** Of the files of the page, so that one that is older knows it. */
  readonly build: string;
  /** What kept a second from being told. Who only watches must not stop what is watched. */
  readonly trouble: (error: unknown) => void;
};

export function startStream({ model, timers, build, trouble }: StreamParts): Stream {
  const known = new Set<ServerResponse>();
  const strangers = new Set<ServerResponse>();
  let beginning: string | undefined;

  function again(): void {
    cancel = timers.after(EVERY_MS, again);
    try {
      tell();
    } catch (error) {
      trouble(error);
    }
  }

  function tell(): void {
    const tick = model.tick();
    beginning = undefined;
    if (known.size + strangers.size === 0) return;
    const text = eventOf("tick", tick);
    for (const viewer of [...known, ...strangers]) {
      if (viewer.writableLength > WAITING_BYTES_MAX) viewer.destroy();
      else viewer.write(text);
    }
  }

  let cancel = timers.after(EVERY_MS, again);
  return {
    join(response, isTrusted) {
      const viewers = isTrusted ? known : strangers;
      if (viewers.size >= VIEWERS_MAX) return false;
      viewers.add(response);
      response.once("close", () => viewers.delete(response));
      // The same for all who join in one second: opening pages again and again costs the bot nothing more.
      beginning ??= eventOf("snapshot", { build, ...model.snapshot() });
      response.write(beginning);
      return true;
    },
    close() {
      cancel();
      for (const viewers of [known, strangers]) {
        for (const viewer of viewers) viewer.end();
        viewers.clear();
      }
    },
  };
}

/** What venue, strategy or a person wrote is shown as text: nothing in it can move a cursor or turn a line around. */
function eventOf(name: string, value: unknown): string {
  const harmless = (_: string, one: unknown): unknown => (typeof one === "string" ? printable(one, TEXT_MAX) : one);
  return `event: ${name}\ndata: ${JSON.stringify(value, harmless)}\n\n`;
}
