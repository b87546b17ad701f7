// Answers that say what the account itself may not do: asking again changes nothing.

const FORBIDDEN: ReadonlySet<string> = new Set(["forbidden", "kyb-required", "agreement-missing"]);

export function isForbidden(code: string): boolean {
  return FORBIDDEN.has(code);
}
