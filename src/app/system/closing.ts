// Closes the opened parts in reverse order, each once, whether or not the others fail.

export interface Closing {
  /** `close` runs before all those added earlier. */
  add(close: () => unknown): void;
  /** Runs every closer and returns all errors. */
  all(): Promise<readonly unknown[]>;
}

export function createClosing(): Closing {
  const closers: (() => unknown)[] = [];
  return {
    add: (close) => void closers.push(close),
    async all() {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop())
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      return failures;
    },
  };
}
