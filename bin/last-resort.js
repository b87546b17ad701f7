// A program that computes without end hears no signal: whoever stands beside it ends it by SIGKILL once it was asked to stop
// and did not hear that, or was asked again and is still there. Nothing is lost by it: what was in flight is a doubt of the
// next start. One that heard the wish is left alone to end in its own time.
const UNHEARD_MS = 20_000;
const INSISTED_MS = 5_000;
/** One wish to stop arrives several times: from a terminal, from npm. */
const SAME_WISH_MS = 1_000;
const SWITCH = "SIGUSR2";

/** `end` is called with the reason; `say` where it must not be. Both at most once. */
export function lastResort({ end, say }) {
  let firstAt;
  let timer;
  let hasInsisted = false;
  let isSwitchUnheard = false;
  const arm = (ms, why) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Killed, it would forget that a person has stopped it, and the next start would trade.
      if (isSwitchUnheard)
        say(`${why}, nor ${SWITCH} before: it was not killed, because that stop would be lost with it`);
      else end(why);
    }, ms);
  };
  return {
    sent(signal) {
      const now = performance.now();
      if (signal === SWITCH) isSwitchUnheard = true;
      else if (firstAt === undefined) {
        firstAt = now;
        arm(UNHEARD_MS, `it did not hear ${signal} for ${UNHEARD_MS / 1_000} s`);
      } else if (now - firstAt >= SAME_WISH_MS && !hasInsisted) {
        hasInsisted = true;
        arm(INSISTED_MS, `it was still there ${INSISTED_MS / 1_000} s after a second ${signal}`);
      }
    },
    heard(signal) {
      if (signal === SWITCH) isSwitchUnheard = false;
      else if (!hasInsisted) clearTimeout(timer);
    },
  };
}
