// How wide a text stands in a terminal.

const MARK = /^\p{M}$/u;
const WIDE = /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul})$/u;

/** Columns that a terminal gives to a text: marks take none, wide scripts, full-width forms and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x300) width += 1;
    else if (!MARK.test(character)) width += isWide(character, code) ? 2 : 1;
  }
  return width;
}

function isWide(character: string, code: number): boolean {
  const fullWidth =
    (code >= 0x3000 && code <= 0x303e) || (code >= 0xff01 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6);
  return fullWidth || WIDE.test(character);
}
