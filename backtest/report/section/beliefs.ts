// How much recorded references were believed, as pages show it: always among the settings, and in the head where it was little.

import type { Belief } from "../../record/run-record.ts";
import { beliefText, isLittleBelieved } from "../belief-text.ts";
import type { Html } from "../html.ts";
import { headNotes } from "./notes.ts";

export function beliefNotes(references: readonly Belief[]): readonly Html[] {
  return headNotes(references.filter(isLittleBelieved).map((one) => `reference ${one.name}: ${beliefText(one)}`));
}

export function beliefRows(
  references: readonly Belief[],
): readonly { readonly name: string; readonly value: string }[] {
  return references.map((one) => ({ name: `reference ${one.name}`, value: beliefText(one) }));
}
