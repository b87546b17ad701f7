// What client and owner say to each other: HTTP over a socket that only this user can open, one JSON request, and the
// answer as JSON lines. Each side names its protocol; `halt` and `status` are answered whatever the other's is.

import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { environment } from "../../config/environment.ts";
import { canonicalPath } from "../journal/journal-binding.ts";

export const PROTOCOL = 2;
export const PROTOCOL_HEADER = "x-pegbot-protocol";
export const OTHER_PROTOCOL = "use the version of pegbot that the bot runs, or restart the bot; halt and status work";
/** Answered to every protocol. */
export const ALWAYS: ReadonlySet<string> = new Set(["halt", "status"]);

export const BEAT_MS = 1_000;
/** Of a request, and of an answer. */
export const BYTES_MAX = 8 * 1024 * 1024;
/** Without a line for so long the owner hangs. */
export const SILENCE_MS_MAX = 5_000;

/** The system's limit is 104 or 108. */
const PATH_BYTES_MAX = 100;

/** Next to the journal, and where that is too long or cannot be made; the owner's file names the other one. */
export function socketPaths(journal: string): readonly string[] {
  const beside = `${canonicalPath(journal)}.sock`;
  const name = `pegbot-${hash("sha256", beside).slice(0, 16)}.sock`;
  const away = join(environment().XDG_RUNTIME_DIR || tmpdir(), name);
  return Buffer.byteLength(beside) <= PATH_BYTES_MAX ? [beside, away] : [away];
}

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const previewSchema = z.object({
  digest: z.string(),
  until: z.number(),
  word: z.string(),
  sent: z.record(z.string(), z.string()),
  /** The most that leaves the account, as texts like `12.5 CHF`. */
  worst: z.array(z.string()),
  caveats: z.array(z.object({ flag: z.string(), text: z.string(), word: z.string() })),
  /** For a person, in addition to what is sent. */
  shown: z.unknown().optional(),
});
export type ShownPreview = z.output<typeof previewSchema>;

export const requestSchema = z.strictObject({
  by: z.string().min(1).max(128),
  input: z.unknown().optional(),
  /** Of an operation that moves money: `id` in both steps, so that a known one is answered at once. */
  step: z.enum(["preview", "execute"]).optional(),
  id: z.string().regex(uuid7, "must be a UUIDv7").optional(),
  /** The preview that was agreed to, maybe of an owner that has ended since. */
  accepted: previewSchema.omit({ shown: true }).optional(),
});
export type OwnerRequest = z.output<typeof requestSchema>;

/** One line of an answer; the last is `answer`, `preview` or `failed`. */
export const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("starting"), text: z.string() }),
  z.object({ kind: z.literal("beat") }),
  z.object({ kind: z.literal("progress"), text: z.string() }),
  z.object({ kind: z.literal("answer"), value: z.unknown() }),
  z.object({ kind: z.literal("preview"), preview: previewSchema }),
  z.object({
    kind: z.literal("failed"),
    exit: z.number(),
    error: z.string(),
    next: z.string().optional(),
    preview: previewSchema.optional(),
    /** The owner has ended and nothing was sent: the next one may be asked. */
    again: z.boolean().optional(),
  }),
]);
export type Line = z.output<typeof lineSchema>;
export type LastLine = Extract<Line, { kind: "answer" | "preview" | "failed" }>;

export function uuid7Of(now: number, random: Uint8Array): string {
  const hex = Buffer.from(random).toString("hex");
  const time = Math.trunc(now).toString(16).padStart(12, "0");
  const variant = "89ab"[Number.parseInt(hex[3] ?? "0", 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

export function timeOfUuid7(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
