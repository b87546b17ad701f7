import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClosing } from "../../../src/cli/bot/closing.ts";
import { openVenue } from "../../../src/cli/bot/open-venue.ts";
import { joinBudget } from "../../../src/cli/key/join-budget.ts";
import { type BeaconKey, holdKey, type KeyUser, keyElsewhere } from "../../../src/cli/key/key-beacon.ts";
import { openExchange } from "../../../src/cli/key/open-exchange.ts";
import { openSigner } from "../../../src/cli/key/open-signer.ts";
import { systemClock } from "../../../src/cli/system/system-clock.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { completeConfig } from "../../config/complete.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { visit } from "../doctor-stage.ts";

const isLinux = process.platform === "linux";
/** As the clock of a recorded shell. */
const NOW = recordedShell().clock.now();

function newKey(fingerprint: string = randomUUID()): BeaconKey {
  return { fingerprint, proof: (text) => createHmac("sha256", fingerprint).update(text).digest("hex") };
}

function user(key: BeaconKey, folder: string, changes: Partial<KeyUser> = {}): KeyUser {
  return { key, folder, now: () => NOW, ignoresSilent: false, ...changes };
}

async function heldElsewhere(key: BeaconKey, folder: string, changes: Partial<KeyUser> = {}) {
  const found = await keyElsewhere(user(key, folder, changes));
  return found.ok ? found.value.warning : found.error.why;
}

/** Whoever else takes the name of a key; what it gives lets it go. */
async function squat({ fingerprint }: BeaconKey, meet: (socket: Socket) => void): Promise<() => void> {
  const met = new Set<Socket>();
  const server = createServer((socket) => {
    met.add(socket.on("error", () => undefined));
    meet(socket);
  });
  const leave = (): void => {
    for (const socket of met) socket.destroy();
    server.close();
  };
  onTestFinished(leave);
  await new Promise<void>((resolve) => server.listen({ path: `\0pegbot-key-${fingerprint}` }, resolve));
  return leave;
}

/** What a bot of this key says at that name. */
function wordsOf(key: BeaconKey, identity: string, folder: string, at: number = NOW): string {
  return `${at} ${identity} ${key.proof(`beacon ${at} ${identity} ${folder}`)} ${folder}`;
}

/** A live configuration with a key of its own. */
async function live() {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(folder, "key.pem");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  // Without feeds: nobody is asked for prices.
  const text = JSON.stringify({ ...completeConfig(), market: {}, key: { file } });
  const { config } = unwrap(parseConfig(text, join(folder, "pegbot.yaml"), {}));
  const signer = await openSigner(recordedShell(), config);
  onTestFinished(() => signer.close());
  writeFileSync(join(folder, "pegbot.yaml"), text);
  return { config, signer, configFile: join(folder, "pegbot.yaml") };
}

async function held(key: BeaconKey, folder: string): Promise<() => void> {
  const { release, warning } = unwrap(await holdKey(user(key, folder)));
  expect(warning).toBeUndefined();
  onTestFinished(release);
  return release;
}

describe.runIf(isLinux)("a key that a live bot of this machine holds", () => {
  test("is refused to a bot and to commands with another state folder, which is named", async () => {
    const key = newKey();
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    await held(key, one);
    const why = `uses this key with the state folder ${one}, this process would use ${two}: two ledgers`;
    expect(await holdKey(user(key, two))).toMatchObject({ ok: false, error: { why: expect.stringContaining(why) } });
    expect(await heldElsewhere(key, two)).toContain(why);
    // One that is not there yet.
    expect(await heldElsewhere(key, join(two, "new"))).toContain(`the state folder ${one}`);
  });

  test("is free to commands with the same folder, to other keys, and once the bot has gone", async () => {
    const key = newKey();
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    expect(await heldElsewhere(key, two)).toBeUndefined();
    const release = await held(key, one);
    expect(await heldElsewhere(key, one)).toBeUndefined();
    await held(newKey(), two);
    release();
    await held(key, two);
  });

  test("is free by every path of the same folder, and refused to another folder of the same path, as in a container", async () => {
    const key = newKey();
    const folder = temporaryFolder();
    const [state, link] = [join(folder, "state"), join(folder, "link")];
    mkdirSync(state);
    symlinkSync(state, link);
    await held(key, link);
    expect(await heldElsewhere(key, state)).toBeUndefined();
    const contained = newKey();
    await squat(contained, (socket) => socket.end(wordsOf(contained, "1:1", state)));
    expect(await heldElsewhere(contained, state)).toContain("another folder of that name");
  });

  test("is not taken for held where no such name can be had", async () => {
    expect((await holdKey(user(newKey("k".repeat(200)), temporaryFolder()))).ok).toBe(true);
  });

  test("keeps nobody away who has its name without the key: that is a warning", async () => {
    const lies: Readonly<Record<string, (key: BeaconKey) => string>> = {
      "says nothing": () => "",
      "says a folder": () => "1:2 /somewhere",
      "invents a proof": () => wordsOf(newKey(), "1:2", "/somewhere"),
      "says again what a bot said a while ago": (key) => wordsOf(key, "1:2", "/somewhere", NOW - 11_000),
      "changes what a bot said": (key) => wordsOf(key, "1:2", "/somewhere").replace("1:2", "1:3"),
    };
    const meet = async ([name, words]: [string, (key: BeaconKey) => string]): Promise<void> => {
      const key = newKey();
      await squat(key, (socket) => socket.end(words(key)));
      const told = `a program that does not have this key holds its name on this machine (@pegbot-key-${key.fingerprint})`;
      const held = await holdKey(user(key, temporaryFolder()));
      expect(held, name).toMatchObject({ ok: true, value: { warning: expect.stringContaining(told) } });
      expect(await heldElsewhere(key, temporaryFolder()), name).toContain(told);
    };
    await Promise.all(Object.entries(lies).map(meet));
  });

  test("is not taken from one that answers nothing, unless its bot is of this folder or a person has looked", async () => {
    const { config, signer } = await live();
    await squat(signer, () => undefined);
    const key = newKey();
    await squat(key, () => undefined);
    // Who it is can be seen where it is a process of this user, as here.
    const why = expect.stringMatching(new RegExp(`did not answer within 1000 ms, 3 times: process ${process.pid}, `));
    const [, bot, person] = await Promise.all([
      expect(openExchange(recordedShell(), config)).rejects.toMatchObject({
        code: 1,
        message: why,
        next: expect.stringContaining("PEGBOT_SILENT_KEY_HOLDER=ignore"),
      }),
      holdKey(user(key, temporaryFolder())),
      heldElsewhere(key, temporaryFolder(), { ignoresSilent: true }),
    ]);
    expect(bot).toMatchObject({ ok: false, error: { isSilent: true, why } });
    expect(person).toContain("it is ignored as a person said");
    const shell = recordedShell();
    const running = await joinBudget(shell, signer, { role: "bot" });
    onTestFinished(() => running.close());
    (await openExchange(shell, config)).close();
    expect(shell.stderr()).toBe("");
  });

  test("is told to each of a crowd that asks at once, so that nobody takes the bot for a stranger", async () => {
    const key = newKey();
    await held(key, temporaryFolder());
    const asked = Array.from({ length: 300 }, async () => {
      let text = "";
      const asker = connect({ path: `\0pegbot-key-${key.fingerprint}` }).on("error", () => undefined);
      for await (const part of asker) text += part;
      return text.startsWith(`${NOW} `);
    });
    expect((await Promise.all(asked)).filter((isTold) => !isTold)).toEqual([]);
  });

  test("is taken later by a bot that began beside a stranger, once he is gone, and not after it ended", async () => {
    const [key, ended] = [newKey(), newKey()];
    const leave = await Promise.all([key, ended].map((one) => squat(one, (socket) => socket.end("1:2 /somewhere"))));
    const [bot, gone] = await Promise.all(
      [key, ended].map(async (one) => unwrap(await holdKey(user(one, temporaryFolder()), 20))),
    );
    expect([bot, gone].map((beacon) => beacon?.warning)).toEqual(Array(2).fill(expect.stringContaining("its name")));
    onTestFinished(() => bot?.release());
    gone?.release();
    // Long enough for a few tries that find him there: one is not all there are.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const one of leave) one();
    await expect.poll(() => heldElsewhere(key, "/state/two")).toContain("uses this key");
    expect(await heldElsewhere(ended, "/state/two")).toBeUndefined();
  });

  test("costs its bot no descriptor, however many ask and never close", async () => {
    const key = newKey();
    await held(key, temporaryFolder());
    // Of its own end: the socket that listens, and one for each that it has not closed. Other files of this process have theirs.
    const name = `@pegbot-key-${key.fingerprint}`;
    const open = (): number => readFileSync("/proc/net/unix", "utf8").split(name).length - 1;
    expect(open()).toBe(1);
    const askers = Array.from({ length: 60 }, () =>
      connect({ path: `\0pegbot-key-${key.fingerprint}`, allowHalfOpen: true })
        .on("error", () => undefined)
        .resume(),
    );
    onTestFinished(() => {
      for (const asker of askers) asker.destroy();
    });
    await Promise.all(askers.map((asker) => new Promise((over) => asker.once("end", over).once("close", over))));
    await expect.poll(open).toBe(1);
  });

  test("ends a live start and a live command before anything is asked of the venue", async () => {
    const { config, signer } = await live();
    const another = temporaryFolder();
    await held(signer, another);
    const refused = {
      code: 2,
      message: expect.stringMatching(new RegExp(`state folder ${another}, .*; nothing was sent$`)),
      next: expect.stringContaining("XDG_STATE_HOME"),
    };
    const closing = createClosing();
    onTestFinished(async () => void (await closing.all()));
    const order = { config, instance: "beacon00", tuning: {} };
    await expect(openVenue(recordedShell(), order, closing)).rejects.toMatchObject(refused);
    await expect(openExchange(recordedShell(), config)).rejects.toMatchObject(refused);
  });

  test("is a finding of doctor, which then asks nothing of the venue either", async () => {
    const { signer, configFile } = await live();
    // The clock of doctor here is the machine's own.
    const { release } = unwrap(await holdKey(user(signer, temporaryFolder(), { now: () => systemClock.now() })));
    onTestFinished(release);
    const { code, findings, finding } = await visit(configFile);
    expect([code, finding("ledger").verdict]).toEqual([1, "problem"]);
    expect(finding("ledger").cause).toContain("two ledgers of one key");
    expect(finding("ledger").next).toContain("XDG_STATE_HOME");
    expect(findings.map(({ check }) => check)).not.toContain("connection");
  });

  test("is one that a live start holds itself, until it is closed", async () => {
    const { config, signer } = await live();
    const closing = createClosing();
    await openVenue(recordedShell(), { config, instance: "beacon00", tuning: {} }, closing);
    expect(await heldElsewhere(signer, "/state/two")).toContain("uses this key");
    await closing.all();
    expect(await heldElsewhere(signer, "/state/two")).toBeUndefined();
  });
});
