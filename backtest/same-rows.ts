// Recordings that have the same rows in files that differ: a table and the columns that were made of it. They are one source.

import { createHash } from "node:crypto";
import { bytesOf } from "./data/file/column-file.ts";
import { COLUMNS } from "./data/kind.ts";
import type { DataSource } from "./data/source.ts";
import type { Recording } from "./recording.ts";

/** Each that says what an earlier one says knows it from now on. Rows are read only where the extents are the same. */
export function knowingTwins(recordings: readonly Recording[]): readonly Recording[] {
  const digests = new Map<Recording, string>();
  const rowsOf = (one: Recording): string => {
    const digest = digests.get(one) ?? rowsDigest(one.source);
    digests.set(one, digest);
    return digest;
  };
  return recordings.map((one, place) => {
    const twin = recordings
      .slice(0, place)
      .find((other) => hasSameExtent(one, other) && (one.digest === other.digest || rowsOf(one) === rowsOf(other)));
    return twin === undefined || twin.digest === one.digest ? one : { ...one, sameAs: twin.digest };
  });
}

function hasSameExtent({ role, source: one }: Recording, { role: otherRole, source: other }: Recording): boolean {
  const fields = ["symbol", "kind", "rows", "firstAt", "lastAt"] as const;
  return role === otherRole && fields.every((field) => one[field] === other[field]);
}

/** Whatever the chunks are that it comes in. */
function rowsDigest(source: DataSource): string {
  const hashes = COLUMNS[source.kind].map((name) => ({ name, hash: createHash("sha256") }));
  for (const chunk of source.chunks()) {
    const columns = chunk as unknown as Readonly<Record<string, Float64Array>>;
    for (const { name, hash } of hashes) hash.update(bytesOf(columns[name] as Float64Array, 0, chunk.length));
  }
  return hashes.map(({ hash }) => hash.digest("hex")).join(" ");
}
