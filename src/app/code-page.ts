// The page of the code that a text names: docs/reference/codes.md, which the package brings along, has a heading for each.

import { join } from "node:path";
import { read, root } from "./version.ts";

const PAGE = "docs/reference/codes.md";
/** `RC07`, `key-held`; of a failed request `dns: ...` or `(timeout)`, which are words elsewhere. */
const CODES =
  /\b(?:[A-Z]{2}\d\d[A-Z]?|[a-z]+(?:-[a-z]+)+)\b|\b(?:dns|connect|proxy|tls|timeout|reset|suspended|unfilled|unreadable|unclear|unauthorized|forbidden)(?=: |\))/g;

/** Never throws: it is asked for with the outcome of an order, whose text and exit code must come through. */
export function codePage(text: string): string | undefined {
  const words = text.match(CODES) ?? [];
  const page = words.length === 0 ? "" : shipped(PAGE);
  const code = words.find((word) => page.includes(`### ${word}\n`) || page.includes(`### \`${word}\`\n`));
  return code && `${join(root, PAGE)}#${code.toLowerCase()}`;
}

/** A document of the package; empty where only the program is, or where it cannot be read. */
export function shipped(path: string): string {
  return read(join(root, path)) ?? "";
}
