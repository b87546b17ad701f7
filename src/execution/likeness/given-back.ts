// A difference that is just what a mint or payment under way had taken: the venue gave it back, or its balances are still from
// before it left. Which of the two it is says what leads out.

import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { Likeness } from "./likeness.ts";

const UNTIL_SHOWN = "wait until the balances show that it left (then pegbot status calls nothing frozen)";

type Gone = {
  readonly id: string;
  /** Its name, and what it did with the money. */
  readonly what: string;
  /** How a person closes it, where the venue gave it back. */
  readonly command: string;
  /** Until then the balances may be behind, which looks as if it were back. */
  readonly dueAt: Millis | undefined;
  /** The balances never showed that it left, so that they may be behind for longer. */
  readonly isUnseen: boolean;
};

export function givenBack(difference: Money, { id, what, command, dueAt, isUnseen }: Gone): Likeness {
  const text = `${difference} ${difference.asset} is just what ${what}`;
  if (dueAt !== undefined) {
    const wait = `the balances have until ${utcText(dueAt)} to show that it left: pegbot adopt again then`;
    const back = { id, text, command: wait, refusal: wait, assets: [difference.asset] };
    return { text: `${text}, and ${wait}`, finding: `cost of ${id}`, own: [back] };
  }
  if (isUnseen) {
    const wait = `${UNTIL_SHOWN}; if the venue confirms in writing that it gave it back: ${command} --venue-confirms`;
    const refusal = `the balances never showed that it left, and may be behind: ${wait}`;
    const finding = `cost of ${id}`;
    const back = { id, text, command: wait, refusal, assets: [difference.asset], subject: finding };
    return { text: `${text}, and ${refusal}`, finding, own: [back] };
  }
  const refusal = `taken over it would be in the books twice; if the venue gave it back: ${command}, and nothing of it is left to take over`;
  return {
    text: `${text}: if the venue gave it back, ${command} instead of adopt`,
    finding: `cost of ${id}`,
    own: [{ id, text, command, refusal, assets: [difference.asset] }],
  };
}
