// Canaries: fake secrets go through every error path of key loading, signing and the key commands, and must not come out
// anywhere. A hit is any 12 characters in a row of a secret, in any of its spellings.

import { createPrivateKey } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkConfig } from "../../src/cli/command/config-check.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import { openKeystore, sealKeystore } from "../../src/exchange/key/keystore.ts";
import {
  generatePrivateKey,
  type KeySource,
  loadSigner,
  parsePrivateKey,
  readPassphraseFile,
  sourceOfFile,
} from "../../src/exchange/key/load.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import { createSigner, signText } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import { type CommandHost, startHost } from "../cli/command-host.ts";
import { type Finished, pegbot } from "../cli/pegbot.ts";
import { recordedShell } from "../support/recorded-shell.ts";

const WINDOW = 12;
const PASSPHRASE = "canary-passphrase-7Qx2vLm9";
const pem = generatePrivateKey("p256");
const base64Pem = pem.toString("base64");
const windows = secretWindows();
let folder: string;
/** Of most commands: a start costs many times what they do. */
let host: CommandHost;
let pemFile: string;
let keystore: string;
let passphraseFile: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-canary-"));
  pemFile = secret("good.pem", pem);
  passphraseFile = secret("passphrase", PASSPHRASE);
  keystore = secret("good.age", unwrap(await sealKeystore(pem, PASSPHRASE, 10)));
  host = startHost(folder, {});
});
afterAll(() => {
  host.end();
  rmSync(folder, { recursive: true });
});

describe("the canary itself", () => {
  it("would be found in every spelling", () => {
    const { secretKey } = unwrap(parsePrivateKey(pem));
    const spellings = [
      pem.toString(),
      base64Pem,
      `${PASSPHRASE}`,
      Buffer.from(secretKey).toString("hex").toUpperCase(),
      BigInt(`0x${Buffer.from(secretKey).toString("hex")}`).toString(),
      inspect(secretKey, { maxArrayLength: null }),
      inspect(Buffer.from(secretKey)),
      JSON.stringify(secretKey),
      JSON.stringify(Buffer.from(secretKey)),
      String(createPrivateKey(pem).export({ type: "sec1", format: "pem" })),
      String(createPrivateKey(pem).export({ format: "jwk" }).d),
    ];
    for (const spelling of spellings) expect(hits(spelling), spelling.slice(0, 40)).not.toEqual([]);
    expect(hits("private key must be a PKCS#8 or SEC1 PEM")).toEqual([]);
    expect(hits(createSigner("p256", unwrap(parsePrivateKey(pem)).secretKey).publicKey)).toEqual([]);
  });
});

describe("no secret comes out of", () => {
  it("a key that cannot be parsed, wherever it is damaged", () => {
    const text = pem.toString();
    const damaged = [
      text.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"),
      text.replaceAll("PRIVATE", "PUBLIC"),
      text.replaceAll("PRIVATE KEY", "EC PRIVATE KEY"),
      text.replace("-----BEGIN PRIVATE KEY-----", ""),
      text.replaceAll("\n", " "),
      text.slice(0, -40),
      base64Pem,
      `${text}${text}`,
      ...Array.from({ length: 60 }, (_, i) => damage(text, 28 + i * 3)),
    ];
    for (const variant of damaged) expectNoHit(parsePrivateKey(Buffer.from(variant)), isKey);
  });

  it("a source that is refused", async () => {
    const readable = secret("readable.pem", pem);
    chmodSync(readable, 0o644);
    const link = join(folder, "link.pem");
    symlinkSync(pemFile, link);
    const passphrase = async () => ok(`${PASSPHRASE} `);
    const sources: KeySource[] = [
      { kind: "file", path: readable },
      { kind: "file", path: link },
      { kind: "file", path: keystore },
      { kind: "file", path: base64Pem },
      { kind: "environment", name: "KEY", value: pem.toString().replaceAll("\n", "") },
      { kind: "keystore", path: keystore, passphrase },
      { kind: "keystore", path: pemFile, passphrase },
    ];
    for (const source of sources) {
      const result = await loadSigner(source, { curve: "p256", publicKey: undefined });
      expect(result.ok, inspect(source.kind)).toBe(false);
      expectNoHit(result);
    }
    expectNoHit(await loadSigner({ kind: "file", path: pemFile }, { curve: "secp256k1", publicKey: undefined }));
    expectNoHit(sourceOfFile(pem.toString(), passphrase));
    expectNoHit(readPassphraseFile(link));
    expectNoHit(createSecretFile(pemFile, pem, "key file"));
    expectNoHit(await openKeystore(pem, PASSPHRASE));
    expectNoHit(await sealKeystore(pem, PASSPHRASE.slice(0, 11)));
  });

  it("a signer, however it is looked at, copied or misused", async () => {
    const signer = unwrap(await loadSigner({ kind: "file", path: pemFile }, { curve: "p256", publicKey: undefined }));
    expectNoHit(signer);
    expectNoHit(Object.getOwnPropertyDescriptors(signer));
    const request = { path: "/private/addOrder", body: "", nonce: 1 as Nonce };
    for (const misuse of [
      () => structuredClone(signer),
      () => signer.sign({ ...request, path: "nowhere" }, presets.contract),
      () => signer.sign({ ...request, nonce: Number.NaN as Nonce }, presets.contract),
      () => signer.sign(request, { ...presets.contract, curve: "secp256k1" }),
      () => signer.sign(undefined as never, presets.contract),
      () => signer.sign(request, undefined as never),
      () => createSigner("secp256k1", new Uint8Array(32)),
      () => signText(pem, "text", presets.contract),
    ])
      expectNoHit(thrown(misuse));
    signer.close();
    expectNoHit(thrown(() => signer.sign(request, presets.contract)));
    expectNoHit(signer);
  });

  it("a configuration that holds a key where none belongs, in the file or in a variable", async () => {
    const key = JSON.stringify(pem.toString());
    const texts = [
      ...["file", "env", "keystore", "publicKey", "passphraseFile", "pem"].flatMap((field) => [
        `key: { ${field}: ${key} }`,
        `key: { ${field}: ${base64Pem} }`,
      ]),
      `key: ${key}`,
      `key: ${base64Pem}`,
      `privateKey: ${key}`,
      `venue: { baseUrl: ${key}, profile: ${base64Pem} }`,
      `venue: { environment: ${key}, profile: { curve: ${key} } }`,
      `strategy: { use: ${base64Pem} }`,
      `confirm: ${key}`,
      `mode: ${base64Pem}`,
      `key: |\n${pem.toString()}`,
      pem.toString(),
    ];
    for (const text of texts) {
      writeFileSync(join(folder, "pegbot.yaml"), text);
      const shell = recordedShell({ configFile: join(folder, "pegbot.yaml") });
      const ended = await checkConfig(shell).catch((error: unknown) => error);
      expect(hits(shell.stdout() + shell.stderr() + spelled(ended)), text.slice(0, 30)).toEqual([]);
    }
    writeFileSync(join(folder, "pegbot.yaml"), "");
    const variables = ["PEGBOT__KEY__FILE", "PEGBOT__KEY__PEM", "PEGBOT__CONFIRM"];
    for (const name of variables) await expectQuiet(["config", "show"], { [name]: base64Pem });
  });

  it("the key commands, with stack traces on", async () => {
    const damaged = secret("damaged.pem", damage(pem.toString(), 90));
    const readable = secret("open.pem", pem);
    chmodSync(readable, 0o640);
    const wrong = secret("wrong", `${PASSPHRASE}x`);
    const runs = [
      ["keys", "show", pemFile],
      ["keys", "show", damaged],
      ["keys", "show", readable],
      ["keys", "show", keystore, "--passphrase-file", wrong],
      ["keys", "show", keystore, "--passphrase-file", pemFile],
      ["keys", "show", pem.toString()],
      ["keys", pem.toString()],
      ["keys", base64Pem],
      ["keys", "encrypt", damaged, "--passphrase-file", passphraseFile],
      ["keys", "encrypt", pemFile, "--out", keystore, "--passphrase-file", passphraseFile],
      ["keys", "generate", "--out", pemFile],
    ];
    for (const run of runs) await expectQuiet(run);
  });

  it("a process of its own, which has read, parsed or been given one", async () => {
    const damaged = secret("other-damage.pem", damage(pem.toString(), 90));
    writeFileSync(join(folder, "pegbot.yaml"), "key: { env: CANARY }");
    await expectQuiet(["keys", "show"], { CANARY: `${base64Pem.slice(0, -9)}!` }, alone);
    await expectQuiet(["config", "show"], { CANARY: base64Pem, PEGBOT__CONFIRM: base64Pem }, alone);
    for (const run of [["keys", "show", damaged], ["keys", pem.toString()], [base64Pem]])
      await expectQuiet(run, {}, alone);
  });
});

describe("the private key", () => {
  it("is signed with in one file and read in the files that must: nobody else imports them", () => {
    const importers = (name: string) =>
      readdirSync("src", { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .filter((file) => new RegExp(`import[^;]*\\b${name}\\b`).test(readFileSync(join("src", file), "utf8")))
        .sort();
    expect(importers("signText")).toEqual([]);
    // Parity and the library make a key for the venue that they run beside themselves, and write it nowhere.
    const makers = ["app/key/new-key.ts", "app/parity/parity.ts"];
    expect(importers("parsePrivateKey")).toEqual(makers);
    expect(importers("generatePrivateKey")).toEqual([...makers, "venue/simulator.ts"]);
  });
});

type Run = (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<Finished>;

const hosted: Run = (args, env) => host.runAt({ cwd: folder, env }, ...args);
const alone: Run = (args, env) => pegbot(args, { cwd: folder, env });

/** Runs a command with stack traces on; it must end as done or as bad usage, and say nothing of a secret. */
async function expectQuiet(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  run: Run = hosted,
): Promise<void> {
  const { stdout, stderr, code } = await run(args, { PEGBOT_DEBUG: "1", ...variables });
  expect([0, 2], stderr).toContain(code);
  expect(hits(stdout + stderr), `${args.join(" ").slice(0, 60)} ${Object.keys(variables)}`).toEqual([]);
}

function isKey(result: ReturnType<typeof parsePrivateKey>): boolean {
  return result.ok;
}

/** `spare`: a result that rightly holds the key, because the damage was none. */
function expectNoHit<T>(value: T, spare: (value: T) => boolean = () => false): void {
  if (spare(value)) return;
  expect(hits(spelled(value))).toEqual([]);
}

function spelled(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true, maxArrayLength: null }), String(value)];
  if (value instanceof Error) parts.push(value.message, value.stack ?? "", inspect(value.cause, { depth: 20 }));
  parts.push(JSON.stringify(value) ?? "");
  return parts.join("\n");
}

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("misuse was accepted");
}

function hits(text: string): string[] {
  const found: string[] = [];
  const plain = text.toLowerCase();
  for (const window of windows) if (plain.includes(window)) found.push(window);
  return found;
}

/** Only the part of a PEM that depends on the private scalar: head and public half are no secret. */
function secretWindows(): Set<string> {
  const { secretKey } = unwrap(parsePrivateKey(pem));
  const scalar = Buffer.from(secretKey);
  const body = pem.toString().split("\n").slice(1, -2).join("");
  const at = Buffer.from(body, "base64").indexOf(scalar);
  // Whole groups of three bytes, so that no character mixes in what is public.
  const secretBody = body.slice(Math.ceil(at / 3) * 4, Math.floor((at + scalar.length) / 3) * 4);
  const inPem = pem.toString().indexOf(secretBody.slice(0, 8));
  const spellings = [
    PASSPHRASE,
    secretBody,
    base64Pem.slice(Math.ceil(inPem / 3) * 4, Math.floor((inPem + secretBody.length) / 3) * 4),
    scalar.toString("hex"),
    scalar.toString("base64url").slice(0, -1),
    // At the two other alignments within groups of three bytes.
    scalar.subarray(1).toString("base64").slice(0, 36),
    scalar.subarray(2).toString("base64").slice(0, 36),
    BigInt(`0x${scalar.toString("hex")}`).toString(),
    scalar.join(", "),
    scalar.join(","),
    [...scalar].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
    [...scalar].map((byte, i) => `"${i}":${byte}`).join(","),
  ];
  const set = new Set<string>();
  for (const spelling of spellings)
    for (let i = 0; i + WINDOW <= spelling.length; i++) set.add(spelling.slice(i, i + WINDOW).toLowerCase());
  return set;
}

function damage(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
}

function secret(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}
