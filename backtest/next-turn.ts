// Waits for the next turn of the event loop, by which time an uncaught error of this one has been reported.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
