// A small client of the venue written from its interface alone, on node:http and node:crypto. It shares no code with
// the product, so that the two can disagree. One client is one key: it keeps the pace of one request a second.

import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { canaryKey } from "../support/canary.ts";
import { WAIT_MS_MAX } from "../support/patience.ts";

export type Answer = { status: number; headers: Record<string, unknown>; text: string; body: unknown };
export type KeyPair = { privateKey: KeyObject; publicKey: string };
export type Fields = Record<string, string>;

export type Send = {
  method: "GET" | "POST";
  /** Relative to the base address, without a slash: `private/addOrder`. */
  path: string;
  headers: Record<string, string>;
  body: string;
};

/** What a test may bend on an otherwise correct signed call. */
export type Bend = {
  nonce?: string;
  contentType?: string;
  /** Sent instead of the body that was signed. */
  body?: string;
  /** Signed instead of the body that is sent. */
  signedBody?: string;
  signingKey?: KeyObject;
  /** Undefined takes the header away. */
  headers?: Record<string, string | undefined>;
  /** Sent at once, whatever the pace. */
  unpaced?: boolean;
};

/** A second, and a millisecond for timers that ring early. */
const SPACING_MS = 1_001;

export function newKeyPair(): KeyPair {
  return fromPrivateKey(canaryKey());
}

export function readKeyPair(pem: string): KeyPair {
  return fromPrivateKey(createPrivateKey(pem));
}

function fromPrivateKey(privateKey: KeyObject): KeyPair {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
  return { privateKey, publicKey };
}

/** Keys sorted at every depth, arrays kept, no blanks. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

export class Client {
  readonly key: KeyPair;
  private readonly baseUrl: string;
  private lastNonce = 0n;
  private freeAt = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly spacingMs: number;

  constructor(baseUrl: string, key: KeyPair, spacingMs = SPACING_MS) {
    this.baseUrl = baseUrl;
    this.key = key;
    this.spacingMs = spacingMs;
  }

  nonce(): string {
    const now = BigInt(Date.now());
    this.lastNonce = now > this.lastNonce ? now : this.lastNonce + 1n;
    return String(this.lastNonce);
  }

  /** A public call; headers set to undefined are left out. */
  async get(path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    const all = { "user-agent": "contract-suite/1", "x-app-public-key": this.key.publicKey, ...headers };
    return this.paced(() => send(this.baseUrl, { method: "GET", path, headers: present(all), body: "" }));
  }

  async call(name: string, fields: Fields = {}, bend: Bend = {}): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    const signed = Object.keys(fields).length === 0 ? "" : canonical(fields);
    return this.signed(name, body, signed, { contentType: "application/x-www-form-urlencoded", ...bend });
  }

  async callJson(name: string, value: unknown, bend: Bend = {}): Promise<Answer> {
    const body = canonical(value);
    return this.signed(name, body, body, { contentType: "application/json", ...bend });
  }

  private async signed(name: string, body: string, signedBody: string, bend: Bend): Promise<Answer> {
    const go = () => {
      const nonce = bend.nonce ?? this.nonce();
      const path = `private/${name}`;
      const text = `${new URL(path, this.baseUrl).pathname}${bend.signedBody ?? signedBody}${nonce}`;
      const headers = {
        "user-agent": "contract-suite/1",
        "content-type": bend.contentType,
        "x-app-public-key": this.key.publicKey,
        "x-app-nonce": nonce,
        "x-app-signed-data": sign("sha256", Buffer.from(text, "utf8"), bend.signingKey ?? this.key.privateKey).toString(
          "base64url",
        ),
        ...bend.headers,
      };
      return send(this.baseUrl, { method: "POST", path, headers: present(headers), body: bend.body ?? body });
    };
    return bend.unpaced ? go() : this.paced(go);
  }

  /** One request in flight, the next one a second after the answer. */
  private async paced(go: () => Promise<Answer>): Promise<Answer> {
    const turn = this.queue.then(async () => {
      while (performance.now() < this.freeAt) await sleep(Math.max(1, this.freeAt - performance.now()));
      try {
        return await go();
      } finally {
        this.freeAt = performance.now() + this.spacingMs;
      }
    });
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}

function present(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export async function send(baseUrl: string, call: Send): Promise<Answer> {
  const url = new URL(call.path, baseUrl);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(url, {
    method: call.method,
    headers: { ...call.headers, ...(call.method === "POST" ? { "content-length": Buffer.byteLength(call.body) } : {}) },
    timeout: WAIT_MS_MAX,
    agent: false,
  });
  outgoing.on("timeout", () =>
    outgoing.destroy(new Error(`no answer within ${WAIT_MS_MAX / 1_000} s from ${url.pathname}`)),
  );
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed(text) });
    });
  });
  outgoing.end(call.body);
  return promise;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
