// Seam: the only reader of process.env.

export type Environment = Readonly<Record<string, string | undefined>>;

export function environment(): Environment {
  // biome-ignore lint/style/noProcessEnv: this file is the seam
  return process.env;
}

/** PEGBOT_DEBUG shows stack traces. */
export function debugging(): boolean {
  const value = environment().PEGBOT_DEBUG;
  return value !== undefined && value !== "" && value !== "0";
}

/** The wanted line width, from COLUMNS; it also applies in a pipe. */
export function columnsWanted(): number | undefined {
  const columns = Number(environment().COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? columns : undefined;
}
