// Says once that the log is lost (a full disk, a reader that is gone), and once that it is written again. Trading goes on, for the
// journal has what moves money; but whoever finds an empty log would think that nothing ran.

type Told = {
  /** To people, whom the log does not reach. */
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
  /** For as long as it lasts; undefined when it is over. */
  readonly show: (text: string | undefined) => void;
};

/** To be called now and then. `lost`: why the last line was not written, if it was not. */
export function logWatch(lost: () => string | undefined, { warn, note, show }: Told): () => void {
  let isSaid = false;
  return () => {
    const why = lost();
    const text =
      why === undefined
        ? undefined
        : `the log cannot be written (${why}): the bot goes on without it, the journal is whole; ${nextStep(why)}`;
    show(text);
    if (isSaid === (text !== undefined)) return;
    isSaid = text !== undefined;
    if (text === undefined) note("the log is written again; lines before this one are missing");
    else warn(text);
  };
}

/** A reader that is gone does not come back to the same pipe. */
function nextStep(why: string): string {
  return why === "EPIPE"
    ? "whoever read it is gone, restart the bot with another reader"
    : "make room where stderr leads";
}
