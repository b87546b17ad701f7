// How long a test waits before it calls something hung, here and nowhere else. Neither number measures anything: where a machine
// is busy, what takes seconds on ours takes minutes, and slow is not wrong.

/** For a whole test, or a hook. */
export const TEST_MS_MAX = 900_000;

/** For one thing within a test, so that it is named when it does not come. */
export const WAIT_MS_MAX = 300_000;
