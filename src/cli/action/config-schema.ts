// `config schema`.

import { configDescription } from "../../config/description.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

export function showSchema({ terminal }: Shell): ExitCode {
  terminal.json(configDescription());
  return exitCode.done;
}
