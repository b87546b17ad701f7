// What a call gives back: a value, or a row of the error table.

import type { Result } from "../../domain/result.ts";
import type { Refusal } from "./refusal.ts";

export type Answer<T> = Result<T, Refusal>;

/** The fields of a form as they arrived; every value is text. */
export type Form = Readonly<Record<string, string | undefined>>;
