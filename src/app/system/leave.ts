// The program's own exit, also while `process.exit` is disabled for guests (src/strategy/guest.ts).

/** The original of the runtime. */
const exit = process.exit;

export function leave(code: number): never {
  return exit(code);
}
