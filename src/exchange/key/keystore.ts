// The encrypted key file: the PEM in an armored age file under a passphrase, which the `age` program can open too.
// Scrypt makes each guess slow: about a second here, once per start.

import { armor, Decrypter, Encrypter } from "age-encryption";
import { err, ok, type Result } from "../../domain/result.ts";

const PASSPHRASE_LENGTH_MIN = 12;
/** log2 of scrypt's work; age's default. */
const WORK_DEFAULT = 18;

export async function sealKeystore(pem: Uint8Array, passphrase: string, work = WORK_DEFAULT): Promise<Result<Buffer>> {
  if (passphrase.length < PASSPHRASE_LENGTH_MIN)
    return err(`passphrase must have at least ${PASSPHRASE_LENGTH_MIN} characters`);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(work);
  return ok(Buffer.from(armor.encode(await encrypter.encrypt(pem))));
}

export async function openKeystore(file: Buffer, passphrase: string): Promise<Result<Buffer>> {
  try {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const text = file.toString("latin1");
    const sealed = text.trimStart().startsWith("-----BEGIN AGE") ? armor.decode(text) : file;
    return ok(Buffer.from(await decrypter.decrypt(sealed)));
  } catch {
    return err("keystore must be an age file that the passphrase opens: wrong passphrase, or not such a file");
  }
}
