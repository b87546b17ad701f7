// Whatever a test starts ends with the test's own process, however that ends: a runner kills one that hangs, and what it had
// started would run on. A shell that outlives us by a moment holds the list, hears us end by its input, and kills who is left.

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

const SHELL = `
left=
while read -r word id; do
  if [ "$word" = began ]; then left="$left $id"; continue; fi
  rest=
  for one in $left; do [ "$one" = "$id" ] || rest="$rest $one"; done
  left=$rest
done
for one in $left; do kill -s KILL -- "$one" 2> /dev/null; done
`;

let input: Socket | undefined;

/** One that was started `detached` is the first of a group, and the group ends. */
export function endWithUs(child: ChildProcess, isDetached: boolean): void {
  if (child.pid === undefined) return;
  const id = isDetached ? -child.pid : child.pid;
  tell(`began ${id}`);
  // Of a group all have ended when nobody has its output any more.
  child.once(isDetached ? "close" : "exit", () => tell(`ended ${id}`));
}

function tell(line: string): void {
  input ??= open();
  input.write(`${line}\n`);
}

function open(): Socket {
  // Of a group of its own: a signal to ours must not end it before it has done its work.
  const shell = spawn("sh", ["-c", SHELL], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  shell.unref();
  const line = shell.stdin as Socket;
  line.on("error", () => undefined);
  line.unref();
  return line;
}
