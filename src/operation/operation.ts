// An operation is what a person, a page or a program can ask of the owner of a key. It is written once, in a file of its
// own; the command line, the socket and the HTTP API are faces of the table.

import type { z } from "zod";
import type { Scope } from "../domain/bearer-token.ts";
import type { Result } from "../domain/result.ts";
import type { RiskState } from "../domain/step.ts";
import type { Asker, Owner } from "./owner.ts";

type Failure = { readonly status: 409 | 500; readonly description: string; readonly state?: RiskState };

export type Operation<I = unknown> = {
  readonly name: string;
  readonly sentence: string;
  readonly scope: Scope;
  /** Absent for operations that only read. */
  readonly input?: z.ZodType<I>;
  readonly answer: z.ZodType;
  /** Not over HTTP: it reads the venue, or another file of this user. */
  readonly isForSocket?: true;
  /** In addition to the failures that every operation may return. */
  readonly failure?: Failure;
  readonly act: (owner: Owner, input: I, asker: Asker) => Result<unknown> | Promise<Result<unknown>>;
};

/** Ties the action of an operation to the type of its input, which each face checks against the schema. */
export function operation<I>(entry: Operation<I> & { readonly input: z.ZodType<I> }): Operation {
  return entry as unknown as Operation;
}
