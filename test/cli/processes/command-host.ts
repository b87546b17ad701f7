// Runs commands one after the other in one process. It ends with whoever started it.

import { systemClock } from "../../../src/app/system/system-clock.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { runHere } from "../../support/run-here.ts";

export type HostedCommand = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

const begunWith = { ...process.env };

process.on("disconnect", () => process.exit());
process.on("message", async ({ args, cwd, env }: HostedCommand) => {
  process.chdir(cwd);
  // What the command before it saw is nothing to this one.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, begunWith, env);
  process.send?.(await runHere(args, { ...recordedShell(), clock: systemClock }));
});
