// The recorded market inside the simulator's thread: a column file of any length is streamed in chunks. The market is
// closed in gaps of the recording, as in a backtest; everything else is synthetic.

import { holesIn } from "../../../backtest/data/gaps.ts";
import { openData } from "../../../backtest/data/open-data.ts";
import { problemLine } from "../../../backtest/data/problem.ts";
import { sourceTrack } from "../../../backtest/data/source-track.ts";
import { closedIn } from "../../../backtest/holes.ts";
import { marketOf } from "../../../backtest/recording.ts";
import type { Market } from "../../simulator/market/market.ts";
import { loopedTime, loopedTrack } from "../../simulator/market/recorded.ts";
import { syntheticMarket } from "../../simulator/market/synthetic.ts";
import type { RecordedMarket } from "./recorded-market.ts";

export async function openRecording(recorded: RecordedMarket, seed: number): Promise<Market> {
  const { path, sha256, startedAt } = recorded;
  const opened = openData(path, "stream");
  if (!opened.ok) throw new RangeError(opened.error.problems.map(problemLine).join("; "));
  const [file] = opened.value;
  // The starting process has validated the file.
  if (file?.source.kind !== "quotes" || file.digest !== sha256) throw new RangeError(`${path} has changed`);
  const { source } = file;
  const playedAt = loopedTime(source, startedAt);
  const track = sourceTrack(source);
  return marketOf([loopedTrack(closedIn(holesIn(source), track), playedAt)], syntheticMarket(seed));
}
