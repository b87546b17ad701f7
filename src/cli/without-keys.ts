// A private key pasted where an argument belongs must not come back in the message that refuses it, which may end in a
// log.

const PEM = /-----BEGIN[\s\S]*?(?:-----END[^-]*-----|$)/g;
/** Base64 of a text that begins with five dashes. */
const PEM_IN_BASE64 = /LS0tLS1[A-Za-z0-9+/=_-]*/g;

export function withoutKeys(text: string): string {
  return text.replace(PEM, "<private key>").replace(PEM_IN_BASE64, "<private key>");
}
