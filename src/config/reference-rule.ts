// Rules between reference feeds and the rest: names that tell them apart, and what real money does not rest on.

import { printable } from "../domain/outside-text.ts";
import type { Breach, Read } from "./breach.ts";

export function referenceRules(read: Read): Breach[] {
  const feeds = read("market", "references");
  const listed = Array.isArray(feeds) ? feeds : [];
  return [
    ...names(listed),
    ...recordings(read, listed),
    ...derivations(listed),
    ...knownPairs(read, listed),
    ...collar(read),
  ];
}

function names(feeds: readonly unknown[]): Breach[] {
  const given = feeds.map((feed) => field(feed, "name"));
  return given.flatMap((name, place) =>
    typeof name === "string" && given.indexOf(name) < place
      ? [
          {
            path: ["market", "references", place, "name"],
            text: `market.references[${place}].name must be its own, ${printable(name, 40)} is there twice`,
          },
        ]
      : [],
  );
}

function recordings(read: Read, feeds: readonly unknown[]): Breach[] {
  if (read("mode") !== "live") return [];
  return feeds.flatMap((feed, place) =>
    field(feed, "kind") === "recorded"
      ? [
          {
            path: ["market", "references", place, "kind"],
            text: `market.references[${place}] is recorded: live mode rests on no prices of the past`,
          },
        ]
      : [],
  );
}

/** What it asks for itself is not worked out. */
function derivations(feeds: readonly unknown[]): Breach[] {
  return feeds.flatMap((feed, place) => {
    const [symbols, derive] = [field(feed, "symbols"), field(feed, "derive")];
    if (!Array.isArray(symbols) || !Array.isArray(derive)) return [];
    return derive
      .filter((symbol) => symbols.includes(symbol))
      .map((symbol) => ({
        path: ["market", "references", place, "derive"],
        text: `market.references[${place}].derive names ${printable(String(symbol), 40)}, which is in its symbols`,
      }));
  });
}

/** A rule for a pair that no feed has and nobody trades is a misspelling. */
function knownPairs(read: Read, feeds: readonly unknown[]): Breach[] {
  const symbols = read("risk", "symbols");
  if (!Array.isArray(symbols)) return [];
  const fed = feeds.flatMap((feed) => [field(feed, "symbols"), field(feed, "derive")]).filter(Array.isArray);
  const known = new Set([...symbols, ...fed.flat()]);
  return ["bands", "sourcesMin"].flatMap((section) => {
    const named = read("market", section);
    if (typeof named !== "object" || named === null) return [];
    return Object.keys(named)
      .filter((symbol) => !known.has(symbol))
      .map((symbol) => ({
        path: ["market", section, symbol],
        text: `market.${section} names ${printable(symbol, 40)}, which neither risk.symbols nor a reference feed lists`,
      }));
  });
}

/** The weekend's collar is a narrower one, so there must be one. */
function collar(read: Read): Breach[] {
  const isOff = ["collarBps", "collarHardBps"].every((key) => typeof read("risk", key) === "string");
  if (read("market", "weekend") !== "collar" || !isOff) return [];
  return [
    {
      path: ["market", "weekend"],
      text: "market.weekend is collar, but risk.collarBps and risk.collarHardBps are off",
    },
  ];
}

function field(feed: unknown, key: string): unknown {
  return typeof feed === "object" && feed !== null ? (feed as Record<string, unknown>)[key] : undefined;
}
