// A question to a witness, and what was heard: an answer, or why there is none.

import type { Asset } from "../domain/asset.ts";
import type { Mono } from "../domain/time.ts";
import type { Reading, Want } from "../exchange/port.ts";
import type { Answer, Ask } from "./executor.ts";
import type { Witness } from "./submission.ts";

export type Question = Omit<Ask, "class"> & Omit<Want, "key" | "deadline">;

export type Heard =
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "unanswered";
      readonly witness: Witness;
      readonly asset: Asset | undefined;
      readonly askedAt: Mono;
      readonly code: string;
      readonly message: string;
      /** One request that several had asked for: another of them has brought this failure already. */
      readonly isShared: boolean;
    };

export function heardOf(
  { witness, asset }: Omit<Question, "class">,
  askedAt: Mono,
  reading: Reading<Answer["rows"]>,
  isShared = false,
): Heard {
  if (reading.kind !== "read") {
    const { code, message } =
      reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
    return { kind: "unanswered", witness, asset, askedAt, code, message, isShared };
  }
  const { receivedAt, nonce, value: rows } = reading;
  return { kind: "answer", answer: { witness, asset, askedAt, receivedAt, nonce, rows } as Answer };
}
