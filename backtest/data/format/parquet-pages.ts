// Checksums of Parquet pages, which are optional: where a file has them, its pages must match. The library does not look.

import { crc32 } from "node:zlib";
import type { AsyncBuffer, FileMetaData } from "hyparquet";

/** Throws where a page of one of these columns is damaged. */
export async function requirePages(file: AsyncBuffer, metadata: FileMetaData, names: readonly string[]): Promise<void> {
  const { parquetHeader } = await import("hyparquet/src/column.js");
  for (const { columns } of metadata.row_groups)
    for (const { meta_data: column } of columns) {
      if (column === undefined || !names.includes(column.path_in_schema[0] as string)) continue;
      const start = Number(column.dictionary_page_offset || column.data_page_offset);
      const chunk = await file.slice(start, start + Number(column.total_compressed_size));
      const reader = { view: new DataView(chunk), offset: 0 };
      while (reader.offset < chunk.byteLength) {
        const { crc, compressed_page_size: bytes } = parquetHeader(reader);
        // Whoever writes them does so on every page.
        if (crc === undefined) return;
        if (crc32(new Uint8Array(chunk, reader.offset, bytes)) !== crc >>> 0)
          throw new RangeError(`a page of column ${column.path_in_schema.join(".")} does not match its checksum`);
        reader.offset += bytes;
      }
    }
}
