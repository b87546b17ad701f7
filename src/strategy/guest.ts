// A strategy is a guest in the process: while one may run, `process.exit` throws for it, so that it is stopped as for any other
// error, and does not end a bot in the middle of a step, or a backtest without a word, with an exit code of its choosing.

let hosts = 0;
let exit = process.exit;

/** Until what it gives back is called, and as long as anybody else keeps them in. */
export function keepGuestsIn(): () => void {
  if (hosts++ === 0) {
    exit = process.exit;
    process.exit = () => {
      throw new Error("process.exit would end the bot: a strategy must answer with proposals, or throw");
    };
  }
  return () => {
    if (--hosts === 0) process.exit = exit;
  };
}
