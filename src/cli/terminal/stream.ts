// Where the program writes, as far as it cares.

/** What a stream must have to be written to; process.stdout and process.stderr do. */
export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** What was given to it and is not out yet. */
  readonly writableLength?: number;
  /** What ended it. */
  readonly errored?: Error | null;
};
