// What the runtime made of our sources, kept between the many starts of the tests: it halves what a start costs, and more where
// the launcher, which keeps it for people, is not in between. Who is started with the environment of a test has it by itself.

import { fileURLToPath } from "node:url";

export const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/pegbot-tests", import.meta.url));

/** Before any test, in the process that starts all others. */
export function setup(): void {
  process.env.NODE_COMPILE_CACHE = COMPILED;
}
