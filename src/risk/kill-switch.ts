// The switch as the sender sees it. `maySend` is one field, so it can be the last statement before the socket; it needs no
// price, no journal and no network. And the self-test that every start runs against a sender that only counts.

import type { Control } from "../domain/event.ts";
import { type Millis, millis } from "../domain/time.ts";
import { formatLatch, readLatch } from "./latch.ts";
import { FRESH, RESUME, type Standing, transition } from "./standing.ts";

export interface KillSwitch {
  /** No order, mint or rail leaves unless this is true at that very moment. */
  readonly maySend: boolean;
  readonly standing: Standing;
  /** Takes effect at once; what it returns is to be written to the latch. */
  change(control: Parameters<typeof transition>[1], at: Millis): Standing;
}

export function createKillSwitch(found: Standing): KillSwitch {
  let standing = found;
  let maySend = canSend(found);
  return {
    get maySend() {
      return maySend;
    },
    get standing() {
      return standing;
    },
    change(control, at) {
      standing = transition(standing, control, at);
      maySend = canSend(standing);
      return standing;
    },
  };
}

function canSend({ state }: Standing): boolean {
  return state === "ACTIVE" || state === "REDUCED";
}

/** How the program sends: through the switch it is given, or not at all. */
type SendThrough = (killSwitch: KillSwitch, send: () => void) => void;

const AT = millis(1);
const KILL: Control = { kind: "kill", reason: "self-test", by: "self-test" };
const HALT: Control = { kind: "halt", cause: "other", reason: "self-test", wayOut: RESUME };
const RESUMED: Control = { kind: "resume", reason: "self-test", by: "self-test" };

/** What is wrong with the switch, or undefined. */
export function selfTest(sendThrough: SendThrough): string | undefined {
  let sent = 0;
  const goesOut = (killSwitch: KillSwitch): boolean => {
    const before = sent;
    sendThrough(killSwitch, () => sent++);
    return sent !== before;
  };
  const found = (text: string): KillSwitch => createKillSwitch(readLatch({ kind: "text", text }, AT));

  const killSwitch = createKillSwitch(FRESH);
  if (!goesOut(killSwitch)) return "a clear switch must let a request out";
  const latch = formatLatch(killSwitch.change(KILL, AT));
  if (goesOut(killSwitch)) return "a set switch must hold a request back";
  if (goesOut(found(latch))) return "a switch must stay set after a restart";
  if (goesOut(found(latch.slice(0, -2)))) return "a damaged latch must hold a request back";
  killSwitch.change({ kind: "resume", reason: " ", by: "self-test" }, AT);
  if (goesOut(killSwitch)) return "a switch must not be cleared without a reason";
  killSwitch.change(HALT, AT);
  killSwitch.change(RESUMED, AT);
  if (goesOut(killSwitch)) return "a stop of the bot must outlast a person's";
  killSwitch.change(RESUMED, AT);
  if (!goesOut(killSwitch)) return "a cleared switch must let a request out";
  return undefined;
}
