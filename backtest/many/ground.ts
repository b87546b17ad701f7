// What trials stand on and name by hash: columns of recorded prices, which threads share, and strategy files.

import type { DataSource } from "../data/source.ts";
import { memorySource } from "../data/source.ts";
import type { SharedColumns } from "./shared-columns.ts";

export type Ground = {
  readonly columns: ReadonlyMap<string, DataSource>;
  /** Where the main file of a bundle lies. */
  readonly strategies: ReadonlyMap<string, string>;
  readonly codeVersion: string;
};

/** As it is given to a thread: the columns' memory is shared, not copied. */
export type GroundParts = {
  readonly columns: readonly SharedColumns[];
  readonly strategies: readonly { readonly digest: string; readonly path: string }[];
  readonly codeVersion: string;
};

export function groundOf({ columns, strategies, codeVersion }: GroundParts): Ground {
  return {
    columns: new Map(columns.map(({ digest, subject, columns: own }) => [digest, memorySource(subject, own)])),
    strategies: new Map(strategies.map(({ digest, path }) => [digest, path])),
    codeVersion,
  };
}
