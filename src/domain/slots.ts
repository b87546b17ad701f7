// Room for numbers and texts by their places, in one piece that grows as they come.

export const SLOTS_MIN = 64;

/** The same numbers with room for that place, and for as many more. */
export function withRoom(values: Float64Array<ArrayBuffer>, place: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(Math.max(2 * values.length, place + 1));
  more.set(values);
  return more;
}

/** So that the list has that place, with nothing in it, and as many more. */
export function makeRoom(list: unknown[], place: number): void {
  if (place >= list.length) list.length = Math.max(SLOTS_MIN, 2 * list.length, place + 1);
}
