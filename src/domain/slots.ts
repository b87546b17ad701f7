// Room for numbers and texts by their places, in one piece that grows as they come.

export const SLOTS_MIN = 64;

/** The same numbers with room for that place, and for as many more. */
export function withRoom(values: Float64Array<ArrayBuffer>, place: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(Math.max(2 * values.length, place + 1));
  more.set(values);
  return more;
}

/** No places are left out before that one: a list with a wide gap is looked up like a map. */
export function fillUp(list: unknown[], place: number): void {
  while (list.length < place) list.push(undefined);
}
