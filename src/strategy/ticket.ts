// Open work of a strategy survives a change of its parameters. A person ends it with another ticket: the strategy then
// starts fresh. There is none by default.

import { z } from "./strategy.ts";

export const ticketParam = {
  /** Any text. With another one the strategy forgets its open work. */
  ticket: z.string().max(64).optional(),
};
