// npx runs us through a shell that a signal to npx ends while we live on, and nothing can be done about npm's SIGKILL. So a
// program that npm started watches who its parent is, and ends when that changes. Without npm it may outlive its shell.
const LOOK_EVERY_MS = 500;

export function whenOrphaned(act) {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, LOOK_EVERY_MS);
  timer.unref();
}
