// The types that a strategy is written against, as the source has them.

import { readFileSync } from "node:fs";

export function strategyPage(): string {
  return [
    "# Types of a strategy",
    "What `pegbot/strategy` gives, from the source. [Write a strategy](../guides/strategy.md) explains it with examples.",
    "## The definition",
    fence(declarations("src/strategy/strategy.ts", /^export type (?:Definition|Proposed)\b/)),
    "## The view",
    fence(declarations("src/strategy/view.ts", /^export (?:type|interface) /)),
    "## A proposal",
    fence(declarations("src/domain/step.ts", /^export (?:type|interface) Proposal\b/)),
  ].join("\n\n");
}

function fence(code: string): string {
  return `\`\`\`ts types\n${code}\n\`\`\``;
}

/** A declaration with its comment, up to the next empty line. */
function declarations(path: string, wanted: RegExp): string {
  const blocks = readFileSync(path, "utf8").split(/\n\n(?=\/\*\*|export|type|interface|function|const|\/\/)/);
  const isWanted = (block: string): boolean => wanted.test(block.replace(/^\/\*\*.*?\*\/\n/s, ""));
  return blocks
    .filter(isWanted)
    .map((block) => block.trim())
    .join("\n\n");
}
