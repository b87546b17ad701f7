// Whether a journal is there, for every command that would say that there is none: where this user may not look, it says that.

import { isThere } from "../../disk/is-there.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";

export function isJournalThere(path: string, stat?: (path: string) => unknown): boolean {
  try {
    return isThere(path, stat);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isBarred = code === "EACCES" || code === "EPERM";
    throw new CommandFailure(
      exitCode.usage,
      `journal ${path} cannot be looked at (${code}): whether there is one is not known`,
      isBarred
        ? "do this as the user whom the bot runs as (runuser -u USER, sudo -u USER); where that is this user, it must be allowed to enter every folder of the path"
        : "every folder and link of the path must lead to it",
    );
  }
}
