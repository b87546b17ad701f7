// The next turn of the event loop: what was thrown and never caught in this one has been heard by then.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
