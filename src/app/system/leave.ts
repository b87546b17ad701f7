// How this program ends itself, also where `process.exit` was taken from its guests (src/strategy/guest.ts).

/** As the runtime had it when the program began. */
const exit = process.exit;

export function leave(code: number): never {
  return exit(code);
}
