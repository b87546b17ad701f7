// A rule between settings that does not hold, and how rules read.

import type { Path } from "./document.ts";

export type Breach = { readonly path: Path; readonly text: string };

/** Reads a setting as written; undefined when it is absent. */
export type Read = (...path: string[]) => unknown;
