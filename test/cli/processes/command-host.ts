// Runs commands one after the other in one process. It ends with whoever started it.

import { systemClock } from "../../../src/cli/system/system-clock.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { runHere } from "../../support/run-here.ts";

process.on("disconnect", () => process.exit());
process.on("message", async (args: readonly string[]) =>
  process.send?.(await runHere(args, { ...recordedShell(), clock: systemClock })),
);
