// `npm run screenshots [-- FOLDER]`: runs the bot on paper as a user starts it, a few times as fast as life, opens its page in
// the machine's browser and writes what is seen on a desktop and on a phone, light and dark, into docs/ or the folder named.

import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openBrowser } from "../test/support/browser.ts";
import { start, until } from "../test/support/program.ts";

const SCALE = 10;
const FILLS_MIN = 6;
/** Ten minutes of the bot's time, so that the charts have something to show. */
const RUN_MS = 60_000;
const BYTES_MAX = 300_000;

const PICTURES = [
  { name: "page-desktop-light", width: 1_440, height: 1_000, scheme: "light" },
  { name: "page-desktop-dark", width: 1_440, height: 1_000, scheme: "dark" },
  { name: "page-phone-light", width: 390, height: 2_000, scheme: "light" },
  { name: "page-phone-dark", width: 390, height: 2_000, scheme: "dark" },
] as const;

const target = resolve(process.argv[2] ?? "docs");
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "pegbot-screenshots-"));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  XDG_STATE_HOME: join(folder, "state"),
  PEGBOT_TIME_SCALE: `${SCALE}@${Date.now()}`,
};
const bot = start(process.execPath, [resolve("bin/pegbot.js"), "start", "--port", "0", "--market", "demo"], {
  cwd: folder,
  env,
});
try {
  const address = /listening on (http:\S+):/;
  await until(() => address.test(bot.stderr()), "the bot to listen");
  const [, url = ""] = address.exec(bot.stderr()) ?? [];
  const begun = performance.now();
  await until(() => (bot.stderr().match(/ filled: bought /g) ?? []).length >= FILLS_MIN, `${FILLS_MIN} fills`);
  await sleep(Math.max(0, RUN_MS - (performance.now() - begun)));
  await takePictures(url);
} finally {
  bot.killGroup("SIGKILL");
  await bot.ended();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function takePictures(url: string): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const { name, width, height, scheme } of PICTURES) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
      await page.goto(url);
      await page.locator("body[data-drawn]").waitFor();
      await sleep(2_500);
      const path = join(target, `${name}.png`);
      await page.screenshot({ path });
      await page.close();
      const { size } = statSync(path);
      if (size > BYTES_MAX) throw new Error(`${name} must have at most ${BYTES_MAX} bytes, had ${size}`);
      process.stdout.write(`${path}, ${Math.round(size / 1_000)} kB\n`);
    }
  } finally {
    await browser.close();
  }
}
