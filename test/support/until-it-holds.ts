// Waits until a check passes: what it expects comes by itself, and nobody says when.

import { vi } from "vitest";
import { WAIT_MS_MAX } from "./patience.ts";

export function untilItHolds(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: WAIT_MS_MAX, interval: 20 });
}
