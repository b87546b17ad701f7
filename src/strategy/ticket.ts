// What a strategy has under way outlives a change of its parameters. A ticket is how a person says that it is over: with another
// one the strategy begins anew. There is none by default, so that a state of before there were tickets goes on.

import { z } from "./strategy.ts";

export const ticketParam = {
  /** Any text. With another one the strategy forgets what it has under way. */
  ticket: z.string().max(64).optional(),
};
