// Keystores whose passphrase is guessed in a moment: for tests that open and seal them and do not look at what a guess costs.

import { Encrypter } from "age-encryption";
import { onTestFinished, vi } from "vitest";

/** log2 of scrypt's work. */
const WORK = 10;

/** Until the test ends. */
export function sealCheaply(): void {
  const { setScryptWorkFactor } = Encrypter.prototype;
  const sealing = vi.spyOn(Encrypter.prototype, "setScryptWorkFactor");
  sealing.mockImplementation(function (this: Encrypter) {
    setScryptWorkFactor.call(this, WORK);
  });
  onTestFinished(() => sealing.mockRestore());
}
