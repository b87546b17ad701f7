// Formats that are one JSON document: read as a whole, with a limit.

import type { z } from "zod";
import { complaintsOf } from "../../../src/domain/schema-complaint.ts";
import type { Input } from "./format.ts";

const BYTES_MAX = 256 << 20;

export async function readJson<T>({ bytes, log }: Input, schema: z.ZodType<T>, rule: string): Promise<T> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes()) {
    size += piece.length;
    if (size > BYTES_MAX) log.refuse("format", `a JSON file must be below ${BYTES_MAX} bytes`);
    pieces.push(Uint8Array.from(piece));
  }
  if (size === 0) log.refuse("empty", "the file is empty");
  const value = parse(Buffer.concat(pieces), (message) => log.refuse("format", message));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [wrong = ""] = complaintsOf(parsed.error.issues, value, (path) => path.join(".") || "the top");
  return log.refuse("format", `${rule}: ${wrong}`);
}

function parse(bytes: Buffer, refuse: (message: string) => never): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("text must be UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(`it must be JSON: ${(error as Error).message}`);
  }
}
