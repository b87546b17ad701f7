// That the venue holds something no longer, for whoever was told that it did: once, whatever becomes of it then, and whichever process
// told them.

import { z } from "zod";
import { jsonOf } from "../../domain/json-of.ts";
import { millis } from "../../domain/time.ts";
import { isHeld } from "../../domain/venue-word.ts";
import type { ShownHeldPayment, ShownSubmission, Status } from "../status.ts";
import type { KeptText } from "./kept-text.ts";
import { NOTICE_KINDS, type Notice } from "./notice.ts";

const told = z.strictObject({
  kind: z.enum(NOTICE_KINDS),
  urgency: z.enum(["info", "warning", "critical"]),
  key: z.string(),
  at: z.number().transform(millis),
  fields: z.record(z.string(), z.string()),
});

const hold = z.strictObject({ told, since: z.number().optional(), isPayment: z.boolean() });

/** What was told of it, as long as it is held. */
type Hold = z.output<typeof hold>;

const kept = z.array(z.tuple([z.string(), hold]));

/** So many are known to the next process: more than the venue ever held at once. */
const KEPT_MAX = 50;

const WAY_OUT = "none is needed; the bot goes on with it";

type HoldWords = {
  readonly tellMovement: (one: ShownSubmission, status: Status) => readonly Notice[];
  readonly tellPayment: (one: ShownHeldPayment, status: Status) => Notice;
  readonly ageText: (ms: number) => string;
};

/** `tellMovement`, `tellPayment`: how people are told that it is held. `ageText`: for how long. `memory`: what an earlier process told. */
export function createLetGo(words: HoldWords, memory?: KeptText): (status: Status) => readonly Notice[] {
  let holds: ReadonlyMap<string, Hold> | undefined;

  function heldBy(status: Status): ReadonlyMap<string, Hold> {
    const held = new Map<string, Hold>();
    for (const one of status.open)
      for (const notice of isHeld(one.venueWord) && !one.isDoubt ? words.tellMovement(one, status) : [])
        held.set(one.id, { told: notice, since: one.heldSince, isPayment: false });
    for (const one of status.treasury?.held ?? [])
      held.set(one.id, { told: words.tellPayment(one, status), since: one.since, isPayment: true });
    return held;
  }

  function letGo(id: string, { told: before, since }: Hold, { open, at }: Status): Notice {
    const word = open.find((one) => one.id === id)?.venueWord;
    const status = `held no longer${word === undefined ? "" : `, listed as ${word}`}: it was`;
    const age = since === undefined ? "an unknown time" : words.ageText(at - since);
    const { what = "", id: named = id } = before.fields;
    const fields = { what, id: named, status, age, wayOut: WAY_OUT };
    return { ...before, urgency: "warning", key: `${before.key}:over`, at, fields };
  }

  return (status) => {
    const before = holds ?? loaded(memory);
    const held = heldBy(status);
    // What nobody can tell now is as it was.
    const unsure = [...before].filter(([id, one]) => !held.has(id) && isUnsure(id, one, status));
    const now = new Map([...held, ...unsure]);
    holds = now;
    if (keysOf(now) !== keysOf(before)) memory?.save(JSON.stringify([...now].slice(-KEPT_MAX)));
    return [...before].flatMap(([id, one]) => (now.has(id) ? [] : [letGo(id, one, status)]));
  };
}

function loaded(memory: KeptText | undefined): ReadonlyMap<string, Hold> {
  const read = kept.safeParse(jsonOf(memory?.load() ?? "[]"));
  return new Map(read.success ? read.data : []);
}

function keysOf(holds: ReadonlyMap<string, Hold>): string {
  return Array.from(holds.values(), ({ told: { key } }) => key)
    .toSorted()
    .join("\n");
}

/** Before the books are read nothing is open. */
function isUnsure(id: string, { isPayment }: Hold, { open, treasury }: Status): boolean {
  if (isPayment) return treasury?.held === undefined;
  return treasury === undefined || open.some((one) => one.id === id && one.isDoubt);
}
