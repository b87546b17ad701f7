// The order of the pages. A page that no list names stands at the end of its section, so that none is lost.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Section = { readonly title: string; readonly isOpen: boolean; readonly pages: readonly string[] };

const ORDER: readonly (readonly [title: string, folder: string, pages: readonly string[]])[] = [
  ["Start", "start", ["first-run", "stop", "own-strategy", "backtest", "convert", "shadow", "go-live"]],
  ["Concepts", "concepts", ["money", "slots", "order", "unknown", "fair-value", "risk", "owner", "glossary"]],
  [
    "Guides",
    "guides",
    [
      ...["configuration", "limits", "keys", "doctor", "profile", "requests", "feeds"],
      ...["strategy", "strategy-tests", "backtest", "sweep", "data", "market", "simulator"],
      ...["treasury", "conversions", "library", "shadow", "page", "monitoring", "month-end"],
    ],
  ],
  ["Strategies", "strategies", ["overview", "peg-arbitrage", "reference-taker", "twap", "blind-taker"]],
  [
    "Operate",
    "operate",
    ["now", "stop", "stops", "alerts", "watch", "run", "machine", "maintain", "journal", "key-file"],
  ],
  [
    "Reference",
    "reference",
    ["commands", "configuration", "limits", "rules", "codes", "metrics", "api", "strategy", "figures", "row-forms"],
  ],
  ["Inside", "inside", ["reading", "architecture", "style", "testing"]],
  ["Decisions", "adr", []],
];

const OPEN = 2;

export function sections(docs: string): readonly Section[] {
  return ORDER.map(([title, folder, named], index) => {
    const found = globSync(`${folder}/**/*.md`, { cwd: docs }).sort();
    const first = named.map((page) => `${folder}/${page}.md`).filter((page) => existsSync(join(docs, page)));
    return { title, isOpen: index < OPEN, pages: [...first, ...found.filter((page) => !first.includes(page))] };
  });
}

export function titleOf(docs: string, page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(docs, page), "utf8")) ?? [];
  return title.replaceAll("`", "");
}
