// The third kind of failure: our own bug, or corrupt data. It throws to the one handler in the shell, which halts,
// journals and exits non-zero. Expected failures are values (result.ts).

export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** The default branch of an exhaustive switch: a new kind breaks the build here. */
export function unreachable(value: never): never {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  throw new InvariantViolation(`unreachable: ${String(kind ?? value)}`);
}
