// What SIGHUP means: a bot that runs from a configuration reads its limits again, unless it has a terminal, whose end the signal may
// be. Every other program is asked to stop by it.
import { isatty } from "node:tty";

export function isReload(args) {
  return args.includes("run") && ![0, 1, 2].some((fd) => isatty(fd));
}
