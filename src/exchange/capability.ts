// A call that not every venue has: refused as a whole, it is not there.

import type { Reading } from "./port.ts";

export function capability<T>(reading: Reading<T>): Reading<T> {
  if (reading.kind !== "failed") return reading;
  const { failure } = reading;
  const absent = failure.status === 404 || (failure.status === 403 && failure.code === "forbidden");
  return absent ? { kind: "failed", failure: { ...failure, code: "not-available" } } : reading;
}
