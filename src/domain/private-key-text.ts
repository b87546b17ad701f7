// Recognises a private key in text where none may be: as an argument, a path or a setting it is refused, and must not
// be repeated in the message, which may end up in a log.

const BASE64 = "[A-Za-z0-9+/=_-]";
// PEM; base64 of PEM; base64 of PKCS#8 and SEC1 structures with an elliptic-curve key.
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
