// How much recorded references were believed, as pages show it: always among the settings, and in the head where it was little.

import type { Belief } from "../../record/run-record.ts";
import { beliefText, isLittleBelieved } from "../belief-text.ts";
import { type Html, html } from "../html.ts";

export function beliefNotes(references: readonly Belief[]): readonly Html[] {
  return references
    .filter(isLittleBelieved)
    .map((one) => html`\n<p class="note">reference ${one.name}: ${beliefText(one)}</p>`);
}

export function beliefRows(
  references: readonly Belief[],
): readonly { readonly name: string; readonly value: string }[] {
  return references.map((one) => ({ name: `reference ${one.name}`, value: beliefText(one) }));
}
