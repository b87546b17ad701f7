// What a check of a strategy can find, each with the moment and the decision that show it.

import type { Millis } from "../../src/domain/time.ts";
import { isoText } from "../../src/domain/time-text.ts";
import type { Call } from "./call-log.ts";
import type { Change } from "./change.ts";

export type Finding =
  /** It imports, or calls, what no view shows. */
  | { readonly kind: "outside"; readonly what: string; readonly at: Millis | "import" | "load" }
  | { readonly kind: "throws"; readonly at: Millis; readonly message: string }
  /** Where it was not asked: in a timer or a promise of its own. */
  | { readonly kind: "stray"; readonly message: string }
  /** Its word on worth cannot be taken. */
  | { readonly kind: "worth"; readonly at: Millis; readonly message: string }
  | { readonly kind: "keeps-view"; readonly at: Millis; readonly shown: Shown | undefined }
  | { readonly kind: "does-not-repeat"; readonly shown: Shown }
  | { readonly kind: "carries-over"; readonly shown: Shown }
  | { readonly kind: "knows-dates"; readonly shown: Shown }
  | { readonly kind: "looks-ahead"; readonly cut: Millis; readonly change: Change; readonly shown: Shown }
  /** A mistake of pegbot and not of the strategy. */
  | { readonly kind: "shown-early"; readonly cut: Millis; readonly change: Change; readonly at: Millis };

/** Two answers to the same views. */
export type Shown = { readonly call: number; readonly first: Call; readonly second: Call };

export function findingText(finding: Finding): string {
  switch (finding.kind) {
    case "outside":
      if (finding.at === "import") return `imports ${finding.what}: a strategy has no input of its own`;
      if (finding.at === "load") return `uses ${finding.what} while it is loaded: a strategy has no input of its own`;
      return `uses ${finding.what} at ${isoText(finding.at)}: a strategy has no clock, no chance and no input of its own`;
    case "throws":
      return `throws at ${isoText(finding.at)}: ${finding.message}`;
    case "stray":
      return `throws in a timer or a promise of its own, where nothing can catch it: ${finding.message}: a running bot is ended by that`;
    case "worth":
      return `says of worth at ${isoText(finding.at)} what cannot be taken: ${finding.message}`;
    case "keeps-view":
      return finding.shown === undefined
        ? `reads a view that it kept at ${isoText(finding.at)}: a view is valid only while decide runs`
        : `keeps a view: it answers otherwise where every call has a view of its own, ${shownText(finding.shown)}`;
    case "does-not-repeat":
      return `does not repeat: the same prices, another answer, ${shownText(finding.shown)}`;
    case "carries-over":
      return `carries something from one run to the next outside its state, ${shownText(finding.shown)}`;
    case "knows-dates":
      return `knows dates: the same prices on another date, another answer, ${shownText(finding.shown)}`;
    case "looks-ahead":
      return `looks ahead: prices from ${isoText(finding.cut)} on were changed (${finding.change}), and it had answered otherwise before, ${shownText(finding.shown)}`;
    case "shown-early":
      return `was shown prices of ${isoText(finding.cut)} (${finding.change}) at ${isoText(finding.at)}: this is a bug in pegbot`;
  }
}

function shownText({ call, first, second }: Shown): string {
  const of = ({ answer }: Call): string => answer ?? "nothing";
  return `at ${isoText(first.at)} (call ${call + 1}, ${first.what}, ${first.wake}): first ${of(first)}, then ${of(second)}`;
}
