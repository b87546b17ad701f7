// What a private key looks like as text, for the places where one must not be: pasted as an argument, a path or a setting,
// it is refused there, and must not come back in the message, which may end in a log.

const BASE64 = "[A-Za-z0-9+/=_-]";
// A PEM; base64 of a text that begins as one; base64 of PKCS#8 and SEC1 structures with an elliptic-curve key.
const SHAPES = new RegExp(
  `-----BEGIN[^-]*PRIVATE KEY[\\s\\S]*?(?:-----END[^-]*-----|$)|LS0tLS1CRUdJTi${BASE64}*|(?:MIG${BASE64}{1,2}AgEA|MH${BASE64}{1,2}CAQEE)${BASE64}{20,}`,
  "g",
);

export function holdsPrivateKey(text: string): boolean {
  return text.search(SHAPES) >= 0;
}

export function withoutPrivateKeys(text: string): string {
  return text.replace(SHAPES, "<private key>");
}
