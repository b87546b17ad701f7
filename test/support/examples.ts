// The fenced blocks of the documentation. What follows the language on the line of a fence is its mark: it says which test runs it
// (test/pages.test.ts has the list), and a fence with the same mark on another page is run by the same test.

import { globSync, readFileSync } from "node:fs";

/** What the reference has is generated, and compared by test/reference.test.ts. */
export const PAGES: readonly string[] = ["README.md", ...globSync("docs/**/*.md", { exclude: ["docs/reference/**"] })];

export type Block = {
  readonly page: string;
  readonly line: number;
  /** How many headings stand above it. */
  readonly section: number;
  /** `sh skip needs duckdb`: language and mark. */
  readonly mark: string;
  readonly text: string;
};

/** A block within a list is as far in as the list. */
export function blocksOf(page: string): readonly Block[] {
  const markdown = readFileSync(page, "utf8");
  return [...markdown.matchAll(/^( *)```(\S[^\n]*)\n(.*?)^\1```$/gms)].map(
    ({ 1: indent, 2: mark, 3: text, index }) => ({
      page,
      line: markdown.slice(0, index).split("\n").length,
      section: (markdown.slice(0, index).match(/^##+ /gm) ?? []).length,
      mark: mark ?? "",
      text: (text ?? "").replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/** Of all pages. */
export function marked(mark: string): readonly Block[] {
  return PAGES.flatMap(blocksOf).filter((block) => block.mark === mark);
}
