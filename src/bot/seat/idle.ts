// Nobody at the desk.

import type { Strategy } from "../../strategy/prepare.ts";

/** Sits at the desk until the bot may trade. */
export const IDLE: Strategy = {
  name: "idle",
  wakes: new Set(),
  params: {},
  state: {},
  stateShape: {},
  definition: { decide: () => undefined },
};
