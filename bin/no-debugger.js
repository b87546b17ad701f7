// SIGUSR1 makes the runtime open its debugger, through which every user of the machine could run code in here and read the
// private key. It is one digit from SIGUSR2, a person's stop, and is heard as that from the first line of ours on; a
// debugger that it opened in the moments before is closed, unless the command line asked for one.
// The runtime's own --disable-sigusr1 keeps the signal from us too: whoever wanted a stop would have none.
process.on("SIGUSR1", () => process.kill(process.pid, "SIGUSR2"));

const isAskedFor = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].some((option) => option.includes("--inspect"));
if (!isAskedFor && process.features.inspector) {
  const { close } = await import("node:inspector");
  close();
  // One that is being opened now is there once the runtime has had its turn.
  setImmediate(close);
}
