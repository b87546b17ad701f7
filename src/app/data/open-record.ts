// A data file as a recorded feed. The code that reads data files is loaded only if there is one.

import type { PairSymbol } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { QuoteColumns } from "../../market/column.ts";
import type { Shell } from "../shell.ts";

/** Opens the rows of a data file. */
export type OpenRecord = (file: string, symbols: readonly PairSymbol[]) => Promise<() => Iterable<QuoteColumns>>;

export function recordOpener(shell: Shell): OpenRecord {
  return async (path, symbols) => {
    const { openDataFiles } = await import("./data-file.ts");
    const found = openDataFiles(shell, path).find(({ source }) => symbols.includes(source.symbol));
    if (found === undefined || found.source.kind !== "quotes")
      throw usageFailure(`${path} must have quotes of ${symbols.join(" or ")}`);
    const { source } = found;
    return () => source.chunks();
  };
}
