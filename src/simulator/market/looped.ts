// A record that is played from a moment of ours on, and begins anew after its end. Still a function of time alone: whoever
// asks for the same moment again is told the same price.

import { type Millis, millis } from "../../domain/time.ts";
import type { Track } from "./recorded.ts";

type Extent = { readonly firstAt: number; readonly lastAt: number };

/** Which moment of the record it is. */
export function loopedTime({ firstAt, lastAt }: Extent, startedAt: number): (at: number) => Millis {
  const lengthMs = lastAt - firstAt + 1;
  return (at) => {
    const into = (at - startedAt) % lengthMs;
    return millis(firstAt + (into < 0 ? into + lengthMs : into));
  };
}

export function loopedTrack(track: Track, playedAt: (at: number) => Millis): Track {
  return { symbol: track.symbol, find: (at) => track.find(playedAt(at)) };
}
