// A page as its reader follows it, in a fresh checkout: files are written and commands typed as they stand there, and what it shows
// in the block below is compared.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, vi } from "vitest";
import { type CommandHost, startHost } from "../cli/command-host.ts";
import { type Block, blocksOf } from "./examples.ts";
import { WAIT_MS_MAX } from "./patience.ts";
import { logText, type Program, start } from "./program.ts";

/** Between two looks at what comes by itself. */
const POLL_MS = 500;
let ports = 20_000 + (process.pid % 10_000);
/** What a developer's checkout may hold and a fresh clone does not. */
const OWN = /^(data|keys|reports|my-bot|.*\.yaml|.*\.html|\.git)$/;

/**
 * What npx does with the one name that is used here, without npm's own start, which takes longest: test/readme.test.ts has that. Where a
 * person would confirm at the terminal it says yes, and what is soon done is done by one process for all.
 */
const NPX = `#!/bin/sh
[ "$1" = pegbot ] || { echo "npx $1 is no command of this page" >&2; exit 1; }
shift
case "$* " in
*--yes* | *--preview* | *--port*) ;;
simulator*) set -- "$@" --port "$PORT" ;;
conver* | mint* | rail\\ * | resume*) set -- "$@" --yes ;;
esac
case "$* " in
*--preview*) ;;
run* | start* | simulator* | backtest* | sweep* | data* | convert* | *.ts\\ | *.mts\\ ) exec node bin/pegbot.js "$@" ;;
esac
answer=$(printf '%s\\0' "$HOME" "$PWD" "$@" | curl -sS --unix-socket "$COMMANDS" --data-binary @- http://commands/) && eval "$answer"
`;

/** Links to what is in this checkout, so that a page may write files. */
export function freshCheckout(): string {
  const checkout = mkdtempSync(join(tmpdir(), "pegbot-checkout-"));
  for (const entry of readdirSync(".")) if (!OWN.test(entry)) symlinkSync(resolve(entry), join(checkout, entry));
  return checkout;
}

/** The process that does what is soon done, one command after the other, and ends with the test: its socket, by which npx asks it. */
export function serveCommands(): string {
  let host: CommandHost | undefined;
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const folder = mkdtempSync(join(tmpdir(), "pegbot-commands-"));
  const socket = join(folder, "socket");
  const server = createServer(async (request, response) => {
    const [HOME = "", cwd = "", ...args] = (await textOf(request)).split("\0").slice(0, -1);
    host ??= startHost(tmpdir(), {});
    const { code, stdout, stderr } = await host.runAt({ cwd, env: { HOME } }, ...args);
    response.end(`printf %s ${quoted(stdout)}\nprintf %s ${quoted(stderr)} >&2\nexit ${code}\n`);
  }).listen(socket);
  afterAll(() => {
    host?.end();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return socket;
}

export type Step = Block & {
  /** What the section shows below. */
  readonly printed: string | undefined;
};

export function stepsOf(page: string): readonly Step[] {
  const blocks = blocksOf(page);
  const shownBy = ({ section }: Block, next: Block | undefined): string | undefined =>
    next?.mark === "text" && next.section === section ? next.text : undefined;
  return blocks
    .map((block, at) => ({ ...block, printed: shownBy(block, blocks[at + 1]) }))
    .filter(({ mark }) => isFollowed(mark));
}

/** A command, or a file that the reader writes. */
export function isFollowed(mark: string): boolean {
  return /^(sh( until| background| together| fails \d+)?|\w+ [\w/-]+(\.\w+)+)$/.test(mark);
}

export class Reader {
  readonly #checkout = freshCheckout();
  readonly #home = mkdtempSync(join(tmpdir(), "pegbot-home-"));
  /** Of its simulator, in place of the usual one, which others on this machine may have. */
  readonly #port = String(ports++);
  readonly #env: NodeJS.ProcessEnv;
  readonly #running: (readonly [Step, Program])[] = [];

  constructor(COMMANDS: string) {
    mkdirSync(join(this.#home, "bin"));
    writeFileSync(join(this.#home, "bin", "npx"), NPX, { mode: 0o755 });
    const PATH = [join(this.#home, "bin"), process.env.PATH].join(delimiter);
    this.#env = { ...process.env, HOME: this.#home, PATH, COMMANDS, PORT: this.#port };
  }

  async follow(page: string): Promise<void> {
    const steps = stepsOf(page);
    const together = steps.filter(({ mark }) => mark === "sh together");
    for (const step of steps) {
      // One script, at the last of its blocks.
      if (step.mark === "sh together" && step !== together.at(-1)) continue;
      const all = step.mark === "sh together" ? together : [step];
      const here = (text: string): string => text.replaceAll(":8700", `:${this.#port}`);
      const text = here(all.map((one) => one.text).join("\n"));
      await this.#take({ ...step, text, printed: step.printed && here(step.printed) }).catch((error: Error) => {
        const others = this.#running.flatMap(([, program]) => program.lines().slice(-3));
        throw new Error([`${page}:${step.line}: ${error.message}`, ...others].join("\n"), { cause: error });
      });
    }
    for (const [{ line }, program] of this.#running) {
      const ended = await Promise.race([program.ended(), setImmediate(undefined)]);
      expect([1, 2], `${page}:${line}: ${program.lines().join("\n")}`).not.toContain(ended?.code);
    }
  }

  async #take(step: Step): Promise<void> {
    const { mark, text, printed } = step;
    const pattern = printed === undefined ? /(?:)/ : patternOf(printed);
    const [kind, more = ""] = mark.split(/ (.*)/);
    if (kind !== "sh") {
      // Never through a link into this checkout.
      const top = lstatSync(join(this.#checkout, more.split("/")[0] ?? ""), { throwIfNoEntry: false });
      expect(top?.isSymbolicLink() ?? false, `${more} would be written to this checkout`).toBe(false);
      mkdirSync(join(this.#checkout, dirname(more)), { recursive: true });
      writeFileSync(join(this.#checkout, more), text);
      return;
    }
    const script = await this.#asHere(text);
    if (more === "background") this.#running.push([step, this.#sh(script)]);
    else if (more === "until") {
      const holds = async () => expect(await this.#type(script)).toEqual([0, expect.stringMatching(pattern)]);
      await vi.waitFor(holds, { timeout: WAIT_MS_MAX, interval: POLL_MS });
    } else {
      const [code, told] = await this.#type(script);
      expect(code, told).toBe(Number(/^fails (\d+)$/.exec(more)?.[1] ?? 0));
      expect(told).toMatch(pattern);
    }
  }

  /** What a page can only give as an example: an id, the address of the bot's page, the month. */
  async #asHere(script: string): Promise<string> {
    if (!/R-d1c4d5a18b|:8787|--month/.test(script)) return script;
    const [, status] = await this.#type("npx pegbot status");
    return script
      .replaceAll("R-d1c4d5a18b", /R-\w{10}/.exec(status)?.[0] ?? "")
      .replaceAll("http://127.0.0.1:8787/", /^page +(\S+)/m.exec(status)?.[1] ?? "")
      .replaceAll(/--month \S+/g, `--month ${new Date().toISOString().slice(0, 7)}`);
  }

  async #type(script: string): Promise<readonly [code: number | null, printed: string]> {
    const program = this.#sh(script);
    const { code } = await program.ended();
    // A terminal gets the log as text.
    return [code, logText(program.lines().join("\n"))];
  }

  async end(): Promise<void> {
    for (const [, program] of this.#running) program.killGroup("SIGKILL");
    await Promise.all(this.#running.map(([, program]) => program.ended()));
    for (const folder of [this.#checkout, this.#home]) rmSync(folder, { recursive: true });
  }

  #sh(script: string): Program {
    // Both streams as a person sees them, in one.
    return start("sh", ["-euc", `exec 2>&1\n${script}`], { cwd: this.#checkout, env: this.#env });
  }
}

/** A line of only "…" stands for any lines, "…" within a line for any text of it. */
function patternOf(text: string): RegExp {
  const lines = text.trimEnd().split("\n");
  const body = lines.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}[^\\S\\n]*(?:\\n|$)`,
  );
  return new RegExp(`^${body.join("")}`, "m");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ +/g, " +");
}
