// What `start` does until there is a bot to start: it says so.

import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

export function start({ terminal }: Shell): ExitCode {
  terminal.print("pegbot does not trade yet: nothing was started, and no order was or can be sent.");
  terminal.print();
  terminal.print("What works so far: pegbot --help lists it; every command there does what it says.");
  terminal.print("What comes here: paper trading on an embedded simulator of the venue, with a page to watch it.");
  return exitCode.done;
}
