// Text tables, in pieces of whole lines. A line break inside a quoted field is not read: no price has one.

import { createReadStream } from "node:fs";
import Papa from "papaparse";
import { type Declaration, type Input, type RowReader, rowReader } from "./table.ts";

const PIECE_BYTES = 1 << 20;
const LINE_LENGTH_MAX = 65_536;

export async function readCsv(input: Input): Promise<void> {
  const { log } = input;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = new Lines(input);
  let [rest, done] = ["", 0];
  for await (const bytes of createReadStream(input.path, { highWaterMark: PIECE_BYTES })) {
    const text = rest + decoded(() => decoder.decode(bytes, { stream: true }), log);
    const end = text.lastIndexOf("\n");
    if (end !== -1) lines.take(text.slice(0, end).replace(/\r$/, ""));
    rest = text.slice(end + 1);
    if (rest.length > LINE_LENGTH_MAX) log.refuse("format", `a line is longer than ${LINE_LENGTH_MAX} characters`);
    done += bytes.length;
    input.watch?.(done);
  }
  rest += decoded(() => decoder.decode(), log);
  if (rest !== "") lines.take(rest);
}

function decoded(decode: () => string, log: Input["log"]): string {
  try {
    return decode();
  } catch {
    return log.refuse("format", "it is no text in UTF-8 (packed files are unpacked first)");
  }
}

class Lines {
  readonly #input: Input;
  #delimiter = "";
  #reader: RowReader | undefined;
  #width = 0;
  #line = 0;

  constructor(input: Input) {
    this.#input = input;
  }

  take(text: string): void {
    // The first piece tells the delimiter.
    const { data, meta } = Papa.parse<string[]>(text, { delimiter: this.#delimiter });
    this.#delimiter = meta.delimiter;
    for (const cells of data) {
      this.#line++;
      if (cells.length > 1 || cells[0]?.trim() !== "") this.#row(cells);
    }
  }

  #row(cells: string[]): void {
    const { declared, log } = this.#input;
    if (this.#reader === undefined) {
      const isHeader = hasHeader(declared);
      this.#width = cells.length;
      this.#reader = rowReader(isHeader ? cells : cells.map((_, place) => String(place + 1)), this.#input);
      if (isHeader) return;
    }
    if (cells.length === this.#width) this.#reader.take(cells, this.#line);
    else log.row("fields", this.#line, `a row must have ${this.#width} fields, was ${cells.length}`);
  }
}

/** Without one its columns are declared by their places. */
export function hasHeader({ columns }: Declaration): boolean {
  const named = Object.values(columns ?? {});
  return named.length === 0 || named.some((name) => !/^[1-9][0-9]{0,3}$/.test(name));
}
