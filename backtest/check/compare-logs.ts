// Two runs of one strategy, call by call. As long as both were shown the same, both must answer the same: the first answer
// that differs before anything shown does rests on something that a strategy must not know.

import type { Call, CallLog } from "./call-log.ts";

export type Comparison =
  /** So many calls were shown the same and answered the same; then the views differ, or a run ends. */
  | { readonly kind: "same"; readonly calls: number; readonly partedAt: number | undefined }
  | { readonly kind: "different"; readonly index: number; readonly one: Call; readonly other: Call };

export function compareLogs(one: CallLog, other: CallLog): Comparison {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    if (one.digest(index) !== other.digest(index)) return { kind: "same", calls: index, partedAt: one.at(index).at };
    const [mine, its] = [one.at(index), other.at(index)];
    if (mine.answer !== its.answer) return { kind: "different", index, one: mine, other: its };
  }
  return { kind: "same", calls: length, partedAt: undefined };
}
