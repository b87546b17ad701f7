// A list that is filled as a run goes on. The runtime takes a plain `[]` for one of small numbers until the first object is put
// in. Code that was compiled for the lists of an earlier run of the process meets that first object as a surprise, is
// thrown away, and calls the runtime for every `push` from then on.

/** A new list that the runtime knows to be one of objects or texts. */
export function emptyList<T>(): T[] {
  const list: unknown[] = [undefined];
  list.length = 0;
  return list as T[];
}
