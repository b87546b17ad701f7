// Says once when a measure of prices that is configured is not there, and once when it is again. The prices are believed without it
// meanwhile, so that somebody has to know.

import type { Config } from "../../config/schema.ts";
import type { Complaint } from "../../market/complaint.ts";
import { every } from "../every.ts";
import type { BotView } from "./view.ts";

const LOOK_MS = 10_000;

/** The function it gives back ends it. */
export function watchMeasures(
  { market }: Config,
  { board, say, aside }: Pick<BotView, "board" | "say" | "aside">,
): () => void {
  const names = market.references.filter(({ kind }) => kind === "ecb").map(({ name }) => name);
  if (names.length === 0) return () => {};
  const complaints = (): readonly Complaint[] => board.desk?.engine.complaints() ?? [];
  const look = measureWatch(names, complaints, (level, text) => say(level, "reference", text));
  return every(LOOK_MS, () => aside(look));
}

/** To be called now and then. At a start it is missing for a moment: what two looks in a row find is said. */
export function measureWatch(
  names: readonly string[],
  complaints: () => readonly Complaint[],
  say: (level: "info" | "warn", text: string) => void,
): () => void {
  const missing = new Map<string, { readonly isSaid: boolean }>();
  return () => {
    const seen = complaints();
    for (const name of names) {
      const trouble = seen.find(({ source }) => source === name)?.text;
      const before = missing.get(name);
      if (trouble === undefined) {
        missing.delete(name);
        if (before?.isSaid) say("info", `reference ${name}: prices are measured with it again`);
      } else {
        missing.set(name, { isSaid: before !== undefined });
        if (before?.isSaid === false) say("warn", `reference ${name}: ${trouble}`);
      }
    }
  };
}
