// A record that is played from a moment of ours on, and begins anew after its end. Still a function of time alone: whoever
// asks for the same moment again is told the same price.

import { millis } from "../../domain/time.ts";
import type { Track } from "./recorded.ts";

type Extent = { readonly firstAt: number; readonly lastAt: number };

export function loopedTrack(track: Track, { firstAt, lastAt }: Extent, startedAt: number): Track {
  const lengthMs = lastAt - firstAt + 1;
  return {
    symbol: track.symbol,
    find(at) {
      const into = (at - startedAt) % lengthMs;
      return track.find(millis(firstAt + (into < 0 ? into + lengthMs : into)));
    },
  };
}
