// One caller that waits for a slot: alone, or in front of others who asked the same and share what it makes of the slot.

import { invariant } from "../../domain/invariant.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Mono } from "../../domain/time.ts";
import type { Want } from "../port.ts";
import type { Slot } from "./budget.ts";
import type { Candidate } from "./candidate.ts";

/** A slot that its budget can end for a sender that lost track of it. */
export type GrantedSlot = Slot & { endIfOpen(): void };

export type Caller = {
  readonly since: Mono;
  /** The slot is his; what he makes of it is shared with those who asked the same. */
  readonly begin: (slot: GrantedSlot) => Promise<unknown>;
  readonly follow: (outcome: Promise<unknown>) => void;
  readonly refuse: (reason: string) => void;
};

type Register = (want: Want, caller: Caller) => void;

export function takeSlot(want: Want, since: Mono, register: Register): Promise<Result<Slot>> {
  const { key: _shared, ...alone } = want;
  return new Promise((resolve) => {
    register(alone, {
      since,
      begin: async (slot) => resolve(ok(slot)),
      follow: () => invariant(false, "a want without a key cannot follow another"),
      refuse: (reason) => resolve(err(reason)),
    });
  });
}

export function shareSlot<T>(
  want: Want,
  since: Mono,
  register: Register,
  send: (slot: Slot) => Promise<T>,
): Promise<Result<T>> {
  return new Promise((resolve, reject) => {
    const follow = (outcome: Promise<unknown>): void => {
      outcome.then((value) => resolve(ok(value as T)), reject);
    };
    const sent = async (slot: GrantedSlot): Promise<T> => {
      try {
        return await send(slot);
      } finally {
        slot.endIfOpen();
      }
    };
    const begin = (slot: GrantedSlot): Promise<T> => {
      const outcome = sent(slot);
      follow(outcome);
      return outcome;
    };
    register(want, { since, begin, follow, refuse: (reason) => resolve(err(reason)) });
  });
}

/** The first asks, the others follow. */
export function begin(
  granted: Pick<Candidate<Caller>, "want" | "item" | "others" | "class" | "worth" | "over">,
  slot: GrantedSlot,
): void {
  granted.want.begins?.(granted);
  for (const { want } of granted.others) want.begins?.(granted);
  const outcome = granted.item.begin(slot);
  for (const { item } of granted.others) item.follow(outcome);
}
