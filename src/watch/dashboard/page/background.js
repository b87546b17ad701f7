// Over HTTP/1.1 a browser has six connections to the bot for all its tabs, and each live page keeps one: pages in the background must
// not take them from the one that is looked at, nor from its switch. So of those only one goes on; the others rest until they are
// seen, or until it is their turn.

const NAME = "pegbot page in the background";

/**
 * `taken` when it may be live, `lost` when it must not; both may be told again. A browser without locks, or one that refuses them
 * (where storage is blocked), knows no other tabs.
 */
export function watchPlace({ page, locks, taken, lost }) {
  let giveBack = () => {};
  /** A refusal may be thrown as well. */
  const request = async (options, hold) => locks.request(NAME, options, hold);
  const change = () => {
    giveBack();
    if (!page.hidden || locks === undefined) {
      taken();
      return;
    }
    const seen = new AbortController();
    const held = Promise.withResolvers();
    giveBack = () => {
      seen.abort();
      held.resolve();
    };
    const go = () => {
      if (seen.signal.aborted) return undefined;
      taken();
      return held.promise;
    };
    // Seen before its turn came, or refused.
    const alone = () => {
      if (!seen.signal.aborted) taken();
    };
    const wait = () => {
      if (seen.signal.aborted) return;
      lost();
      request({ signal: seen.signal }, go).catch(alone);
    };
    request({ ifAvailable: true }, (lock) => (lock === null ? wait() : go())).catch(alone);
  };
  page.addEventListener("visibilitychange", change);
  change();
}
