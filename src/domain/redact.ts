// The one redaction of everything this process prints: the values of secrets that it has loaded, private keys of any
// form, and credentials as protocols write them. It is applied where text leaves (terminal, log, page, API, notices),
// and before text from outside is cut, because half a secret would no longer be recognised.

const BASE64 = "[A-Za-z0-9+/=_-]";
// PEM, to its end or that of a JSON text; base64 of PEM; base64 of PKCS#8 and SEC1 structures with an elliptic-curve key.
const PRIVATE_KEY = new RegExp(
  `-----BEGIN[^-]*PRIVATE KEY[\\s\\S]*?(?:-----END[^-]*-----|(?=")|$)|LS0tLS1CRUdJTi${BASE64}*|(?:MIG${BASE64}{1,2}AgEA|MH${BASE64}{1,2}CAQEE)${BASE64}{20,}`,
  "g",
);
/** In HTTP, and in SMTP, where servers echo them. */
const CREDENTIALS = new RegExp(`\\b(Bearer|Basic|AUTH PLAIN) ${BASE64}{12,}`, "g");
/** Shorter ones would hide common words. */
const LENGTH_MIN = 8;

/** The longest first: one secret may be part of another. */
let known: readonly string[] = [];

/** No output of this process shows this text from now on; an address is also recognised by its path. */
export function secret(text: string): string {
  const { pathname = "", search = "" } = URL.parse(text) ?? {};
  const forms = [text, pathname + search].filter((form) => form.length >= LENGTH_MIN);
  const spellings = forms.flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    Buffer.from(form).toString("base64"),
  ]);
  known = [...new Set([...known, ...spellings])].sort((a, b) => b.length - a.length);
  return text;
}

export function redacted(text: string): string {
  return withoutLoaded(text).replace(PRIVATE_KEY, "<private key>").replace(CREDENTIALS, "$1 ***");
}

/** Costs nothing in a process that has loaded none, as a backtest. */
export function withoutLoaded(text: string): string {
  return known.reduce((rest, one) => (rest.includes(one) ? rest.replaceAll(one, "***") : rest), text);
}

/** As an argument, a path or a setting a private key is refused. */
export function holdsPrivateKey(text: string): boolean {
  return text.search(PRIVATE_KEY) >= 0;
}
