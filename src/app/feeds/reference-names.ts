// What reference feeds are called. On paper without any of one's own they are the two that every simulator has beside its API.

import type { Config } from "../../config/schema.ts";

/** Their paths there. */
export const SIMULATOR_FEEDS: readonly string[] = ["a", "b"];

export function simulatorFeed(path: string): string {
  return `simulator-${path}`;
}

export function referenceNames({ mode, market }: Pick<Config, "mode" | "market">): readonly string[] {
  if (market.references.length > 0) return market.references.map(({ name }) => name);
  return mode === "paper" ? SIMULATOR_FEEDS.map(simulatorFeed) : [];
}
