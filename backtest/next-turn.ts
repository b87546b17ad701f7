// The next turn of the event loop: an error that was thrown in this one and never caught has been reported by then.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
