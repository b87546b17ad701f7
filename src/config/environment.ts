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
