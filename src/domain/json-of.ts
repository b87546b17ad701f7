// Text that may be JSON.

/** The value of a JSON text; undefined if it does not parse. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
