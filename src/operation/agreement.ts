// What somebody agrees to before an operation moves money.

import type { Money } from "../domain/money/money.ts";

/** Needs a further word of the person, or its flag. */
export type Caveat = { readonly flag: string; readonly text: string; readonly word: string };

export type Agreement = {
  /** What a person types. */
  readonly word: string;
  /** To be the same in execution. */
  readonly sent: Readonly<Record<string, string>>;
  /** To be no more in execution. */
  readonly worst: readonly Money[];
  readonly caveats: readonly Caveat[];
  /** For a person, in addition to what is sent: plain JSON. */
  readonly shown?: unknown;
  /** What is carried out as it was shown, and not made anew in execution. */
  readonly held?: unknown;
};
