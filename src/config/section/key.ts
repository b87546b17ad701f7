// Where the private key is. The key itself never stands in a configuration: what looks like one is refused, and nothing
// of this section is repeated in a message.

import { z } from "zod";
import { holdsPrivateKey } from "../../domain/private-key-text.ts";
import { filePath } from "../file-path.ts";

const NOT_THE_KEY = "must not be the private key itself: keep it in a file and name the file";

export const keySchema = z.strictObject({
  file: notAKey(filePath("PEM file with the private key")).optional(),
  env: notAKey(
    z
      .string({ error: "must be the name of an environment variable" })
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { error: "must be the name of an environment variable" })
      .describe("environment variable that holds the private key, as PEM or base64 of it"),
  ).optional(),
  keystore: notAKey(filePath("encrypted key file")).optional(),
  passphraseFile: notAKey(
    filePath("file with the keystore's passphrase (mode 0600); without it pegbot asks at the terminal"),
  ).optional(),
  publicKey: notAKey(
    z
      .string({ error: "must be the public key as the portal shows it, in one line" })
      .regex(/^[\x21-\x7e]{16,1024}$/, { error: "must be the public key as the portal shows it, in one line" })
      .describe("public key as the portal shows it; beats the one derived from the private key"),
  ).optional(),
});

function notAKey(schema: z.ZodString): z.ZodString {
  return schema.refine((text) => !holdsPrivateKey(text), { error: NOT_THE_KEY, when: isText });
}

/** Also when the text broke another rule: this is the message that matters then. */
function isText(payload: { readonly value: unknown }): boolean {
  return typeof payload.value === "string";
}
