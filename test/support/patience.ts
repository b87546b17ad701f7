// How long a test waits before it calls something hung, here and nowhere else. Neither number measures anything: where a machine
// is busy, what takes seconds on ours takes minutes, and slow is not wrong.

/** For a whole test, or a hook. */
export const TEST_MS_MAX = 900_000;

/** For one thing within a test, so that it is named when it does not come. */
export const WAIT_MS_MAX = 300_000;

/** For one thing on a page that has been loaded: what does not come by then does not come, and the tests after it shall have their turn. */
export const SCREEN_MS_MAX = 60_000;
