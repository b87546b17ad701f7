// What a stop is about, by its words: of errors whose words are all there is, of stops that an earlier version wrote, and of
// those that a person names by what was shown. Where a stop says its subject, nothing is read from here.

// Numbers that stand alone are figures; within a word they are part of an id, and that is another cause.
const FIGURE = /(?<![\w-])-?\d[\d.]*(?![\w-])/g;
/** How many there are besides is a figure too: one trade of a stranger is found a second time as its order. */
const BESIDES = / and # more(?=,|$)/;
/** And after a restart perhaps as its order first. */
const STRANGER = /^the venue shows (?:trade "[^"]*" of )?(order "[^"]*").*(?=, of which the journal knows nothing$)/s;

/** A day more makes a figure of two. */
const DAYS = /(?<![\w-])\d+d (?=#:)/g;
/** An order that fills late is found by its trade, by the list of orders and by the books, each in its words. */
const LATE =
  /^(?:the venue lists |order )?(\S+) (?:as Filled, which|filled after it|happened after it) had been given up(.*)$/s;
/** What a difference of balances looks like may be found later, and become another. */
const UNEXPLAINED = /(, which no order of ours explains)(.*)$/s;

/** What a reason is about, whatever its figures are. */
export function aboutIn(reason: string): string {
  return reason
    .replace(FIGURE, "#")
    .replace(DAYS, "")
    .replace(STRANGER, "the venue shows $1")
    .replace(BESIDES, "")
    .replace(LATE, "late $1")
    .replace(UNEXPLAINED, "$1");
}

/** What is known of it besides, which may lead another way out. */
export function findingIn(reason: string): string {
  if (LATE.test(reason)) return reason.endsWith("is booked") ? "booked" : "";
  return UNEXPLAINED.exec(reason.replace(FIGURE, "#"))?.[2] ?? "";
}
