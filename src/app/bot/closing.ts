// What was opened is closed in the opposite order, each part once and whatever the others do.

export interface Closing {
  /** `close` runs before all that were added earlier. */
  add(close: () => unknown): void;
  /** Everything that went wrong on the way, after all had their turn. */
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
