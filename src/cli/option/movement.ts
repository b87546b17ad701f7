// The flags that `mint` and `rail` share.

import type { Command } from "commander";
import { usageFailure } from "../../domain/command-failure.ts";

export type MovementOptions = {
  readonly reason?: string;
  readonly wait?: boolean;
  readonly propose?: boolean;
};

export function declareMovement(command: Command, help: string): Command {
  return command
    .option("--reason <text>", "why, for the journal")
    .option("--wait", "follow it until it is settled or working, refused or held")
    .option("--propose", "send nothing: propose it as a plan, for others to approve")
    .option("--yes", "confirm without a terminal")
    .option("--preview", "show what would be sent, and send nothing")
    .option("--id <uuid>", "ask again: a known id sends nothing, and says what became of it")
    .addHelpText("after", help);
}

export function followed({ wait, propose }: MovementOptions): true {
  if (wait === true && propose === true) throw usageFailure("--propose sends nothing that --wait could follow");
  return true;
}
