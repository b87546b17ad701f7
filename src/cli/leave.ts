// How this program ends itself. A strategy is a guest in the process: while one may run, `process.exit` throws for it, so that
// it is stopped as for any other error, and does not end the bot in the middle of a step with an exit code of its choosing.

/** As the runtime had it when the program began. */
const exit = process.exit;

export function leave(code: number): never {
  return exit(code);
}

/** Until what it gives back is called. */
export function keepGuestsIn(): () => void {
  const before = process.exit;
  process.exit = () => {
    throw new Error("process.exit would end the bot: a strategy must answer with proposals, or throw");
  };
  return () => {
    process.exit = before;
  };
}
