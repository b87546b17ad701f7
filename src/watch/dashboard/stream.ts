// Live data for open pages as server-sent events: a snapshot when a page joins, then the changes of each second. The
// status is read once a second and serialised once for all pages that keep up. A slow page gets fewer ticks but never
// outdated ones: waiting ticks are merged.

import type { ServerResponse } from "node:http";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { ReadModel } from "./model/read-model.ts";
import type { Tick } from "./model/shown.ts";

export interface Stream {
  /**
   * False when too many pages are watching; pages with a token are counted separately and keep their places until the
   * token is revoked. A page with a name confirms by it what has arrived, because buffers on the way hide that.
   */
  join(response: ServerResponse, isTrusted: () => boolean, name?: string): boolean;
  /** Confirms that the last event sent to this page has arrived. */
  heard(name: string): void;
  close(): void;
}

const EVERY_MS = 1_000;
/** A few pages on a few screens; the limit applies separately with and without the token. */
const VIEWERS_MAX = 16;
/**
 * Ticks kept for a page that reads nothing, one a second; beyond that it is disconnected and starts again with a
 * snapshot.
 */
const MISSED_MAX = 600;
const TEXT_MAX = 400;
/**
 * A keep-alive for pages that have not confirmed the last event: a connection without traffic would be taken for dead.
 */
const STILL_HERE = ":\n\n";

export type StreamParts = {
  readonly model: ReadModel;
  readonly timers: Timers;
  /** The build of the page's files, so that an older page notices. */
  readonly build: string;
  /** Reports why a tick failed. A failing display must not stop the bot. */
  readonly trouble: (error: unknown) => void;
};

type Viewer = {
  readonly response: ServerResponse;
  readonly isTrusted: () => boolean;
  readonly name: string | undefined;
  /** An event is on its way to a page that confirms arrivals. */
  isUnheard: boolean;
  waiting: Tick | undefined;
  missed: number;
};

export function startStream({ model, timers, build, trouble }: StreamParts): Stream {
  const known = new Set<Viewer>();
  const anonymous = new Set<Viewer>();
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
    for (const { isTrusted, response } of known) if (!isTrusted()) response.destroy();
    if (known.size + anonymous.size === 0) return;
    const text = eventOf("tick", tick);
    for (const viewer of [...known, ...anonymous]) {
      if (isBehind(viewer)) keep(viewer, tick);
      else send(viewer, text);
    }
  }

  let cancel = timers.after(EVERY_MS, again);
  return {
    join(response, isTrusted, name) {
      const viewers = isTrusted() ? known : anonymous;
      if (viewers.size >= VIEWERS_MAX) return false;
      const viewer: Viewer = { response, isTrusted, name, isUnheard: false, waiting: undefined, missed: 0 };
      viewers.add(viewer);
      response.once("close", () => viewers.delete(viewer));
      response.on("drain", () => catchUp(viewer));
      // All pages that join within one second share it, so reopening pages costs the bot nothing more.
      beginning ??= eventOf("snapshot", { build, ...model.snapshot() });
      send(viewer, beginning);
      return true;
    },
    heard(name) {
      for (const viewer of [...known, ...anonymous]) {
        if (viewer.name !== name) continue;
        viewer.isUnheard = false;
        catchUp(viewer);
      }
    },
    close() {
      cancel();
      for (const viewers of [known, anonymous]) {
        for (const { response } of viewers) response.end();
        viewers.clear();
      }
    },
  };
}

function isBehind({ response, isUnheard }: Viewer): boolean {
  return isUnheard || response.writableNeedDrain;
}

function send(viewer: Viewer, text: string): void {
  viewer.isUnheard = viewer.name !== undefined;
  viewer.response.write(text);
}

function keep(viewer: Viewer, tick: Tick): void {
  const { response, waiting } = viewer;
  viewer.waiting = waiting === undefined ? tick : mergedTick(waiting, tick);
  viewer.missed++;
  if (viewer.missed > MISSED_MAX) response.destroy();
  else if (!response.writableNeedDrain) response.write(STILL_HERE);
}

function catchUp(viewer: Viewer): void {
  const { waiting } = viewer;
  if (waiting === undefined || isBehind(viewer)) return;
  viewer.waiting = undefined;
  viewer.missed = 0;
  send(viewer, eventOf("tick", waiting));
}

/** Text from the venue, the strategy or a person is shown as plain text: it cannot move a cursor or reverse a line. */
function eventOf(name: string, value: unknown): string {
  const harmless = (_: string, one: unknown): unknown => (typeof one === "string" ? printable(one, TEXT_MAX) : one);
  return `event: ${name}\ndata: ${JSON.stringify(value, harmless)}\n\n`;
}

function mergedTick(earlier: Tick, later: Tick): Tick {
  const { decisions, notes } = earlier.status;
  const settlements = later.settlements ?? earlier.settlements;
  return {
    status: {
      ...(decisions === undefined ? {} : { decisions }),
      ...(notes === undefined ? {} : { notes }),
      ...later.status,
    },
    points: [...earlier.points, ...later.points],
    fills: [...earlier.fills, ...later.fills],
    misses: [...earlier.misses, ...later.misses],
    slots: [...earlier.slots, ...later.slots],
    ...(settlements === undefined ? {} : { settlements }),
  };
}
