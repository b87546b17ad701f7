// That the venue holds something no longer, for whoever was told that it did: once, whatever becomes of it then.

import { isHeld } from "../domain/venue-word.ts";
import type { ShownHeldPayment, ShownSubmission, Status } from "../telemetry/status.ts";
import type { Notice } from "./notice.ts";

/** What was told of it, as long as it is held. */
type Hold = { readonly told: Notice; readonly since: number | undefined; readonly isPayment: boolean };

const WAY_OUT = "none is needed; the bot goes on with it";

/** `tellMovement`, `tellPayment`: how people are told that it is held. `ageText`: for how long. */
export function createLetGo(words: {
  readonly tellMovement: (one: ShownSubmission, status: Status) => readonly Notice[];
  readonly tellPayment: (one: ShownHeldPayment, status: Status) => Notice;
  readonly ageText: (ms: number) => string;
}): (status: Status) => readonly Notice[] {
  let holds: ReadonlyMap<string, Hold> = new Map();

  function heldBy(status: Status): ReadonlyMap<string, Hold> {
    const held = new Map<string, Hold>();
    for (const one of status.open)
      for (const told of isHeld(one.venueWord) && !one.isDoubt ? words.tellMovement(one, status) : [])
        held.set(one.id, { told, since: one.heldSince, isPayment: false });
    for (const one of status.treasury?.held ?? [])
      held.set(one.id, { told: words.tellPayment(one, status), since: one.since, isPayment: true });
    return held;
  }

  function letGo(id: string, { told, since }: Hold, { open, at }: Status): Notice {
    const word = open.find((one) => one.id === id)?.venueWord;
    const status = `held no longer${word === undefined ? "" : `, listed as ${word}`}: it was`;
    const age = since === undefined ? "an unknown time" : words.ageText(at - since);
    const { what = "", id: named = id } = told.fields;
    const fields = { what, id: named, status, age, wayOut: WAY_OUT };
    return { ...told, urgency: "warning", key: `${told.key}:over`, at, fields };
  }

  return (status) => {
    const before = [...holds];
    const held = heldBy(status);
    // What nobody can tell now is as it was.
    const unsure = before.filter(([id, hold]) => !held.has(id) && isUnsure(id, hold, status));
    holds = new Map([...held, ...unsure]);
    return before.flatMap(([id, hold]) => (holds.has(id) ? [] : [letGo(id, hold, status)]));
  };
}

function isUnsure(id: string, { isPayment }: Hold, { open, treasury }: Status): boolean {
  return isPayment ? treasury?.held === undefined : open.some((one) => one.id === id && one.isDoubt);
}
