// Throws damaged answers at the readers and holds what comes out against what went in: no error escapes, and every
// amount, id and word of the output stands in the input. The suite runs 20,000, `npm run campaign answers` 200,000.

import { Decimal } from "decimal.js";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { printable } from "../../src/domain/sanitise.ts";
import { millis } from "../../src/domain/time.ts";
import { classifyMoney, classifyRead } from "../../src/exchange/classify.ts";
import type { Observation } from "../../src/exchange/wire/http-attempt.ts";
import { type Specimen, specimens } from "./answer-corpus.ts";
import { mutated } from "./answer-mutation.ts";
import { isNamedRefusal } from "./refusal-oracle.ts";
import { order, VCHF } from "./wire.ts";

export type FuzzFigures = {
  readonly seed: number;
  readonly answers: number;
  /** By call and outcome: a fuzz that reads nothing, or everything, proves nothing. */
  readonly outcomes: Map<string, number>;
  readonly slowestMs: number;
};

const STATUSES = [200, 200, 200, 200, 200, 200, 200, 200, 400, 400, 403, 403, 404, 401, 429, 500, 302, 204];

export function fuzzAnswers(seed: number, count: number, call = ""): FuzzFigures {
  const random = createRandom(seed);
  const outcomes = new Map<string, number>();
  let slowestMs = 0;
  const chosen = specimens.filter(({ endpoint }) => endpoint.path.endsWith(call));
  for (let i = 0; i < count; i++) {
    const specimen = chosen[i % chosen.length] as Specimen;
    const text = mutated(specimen.good, random);
    const status = STATUSES[random.integer(0, STATUSES.length - 1)] as number;
    const began = performance.now();
    const verdict = classified(specimen, status, text);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    const problem = invented(verdict, specimen, text) ?? misjudged(verdict, specimen, status, text);
    if (problem !== undefined)
      throw new Error(`seed ${seed}, answer ${i} of ${specimen.endpoint.path}, status ${status}: ${problem}\n${text}`);
    const name = `${specimen.endpoint.path} ${verdict.kind}`;
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  }
  return { seed, answers: count, outcomes, slowestMs };
}

type Verdict = ReturnType<typeof classifyRead<unknown>> | ReturnType<typeof classifyMoney<unknown>>;

function classified(specimen: Specimen, status: number, text: string): Verdict {
  const body = Buffer.from(text);
  const answer = {
    status,
    contentType: undefined,
    body,
    at: undefined,
    receivedAt: millis(0),
    retryAfterMs: undefined,
  };
  const observation: Observation = { kind: "answer", answer };
  return specimen.kind === "read"
    ? classifyRead(observation, specimen.endpoint.answer)
    : classifyMoney(observation, specimen.endpoint);
}

/** Anything in the output that the input does not hold. */
function invented(verdict: Verdict, specimen: Specimen, text: string): string | undefined {
  if (!("value" in verdict)) return undefined;
  const said = saidIn(text);
  let problem: string | undefined;
  visit(verdict.value, "value", (value, path) => {
    if (problem !== undefined || known(value, path, said, specimen)) return;
    problem = `${path} ${JSON.stringify(value)} was not in the answer`;
  });
  return problem;
}

type Said = {
  readonly texts: ReadonlySet<string>;
  readonly amounts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
};

function known(value: unknown, path: string, said: Said, specimen: Specimen): boolean {
  if (value === undefined || typeof value === "boolean") return true;
  if (value instanceof Money) return said.amounts.has(String(value)) && said.texts.has(value.asset);
  if (value instanceof Price || value instanceof Quantity) return said.amounts.has(String(value));
  if (typeof value === "number") {
    if (path.endsWith(".at")) return [...said.texts].some((text) => Date.parse(text) === value);
    return said.numbers.has(value) || (path.endsWith(".priceDecimals") && value === 6);
  }
  if (typeof value !== "string") return false;
  if (said.texts.has(value)) return true;
  const field = path.slice(path.lastIndexOf(".") + 1);
  // What is ours: the order that was sent, the asset that was asked for, and words that follow from the answer's.
  if (field === "status" && [...said.texts].some((text) => text.toLowerCase() === value.toLowerCase())) return true;
  if (specimen.endpoint.path === "/private/addOrder") return value === order[field as keyof typeof order];
  if (field === "asset") return value === VCHF;
  if (field === "base" || field === "quote") return [...said.texts].some((text) => text.split("/").includes(value));
  // A sentence about a row that is not booked.
  return field === "side" || field === "source" || field === "odd";
}

function saidIn(text: string): Said {
  const texts = new Set<string>();
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*/g)) {
    const source = match[0];
    let content = source;
    if (source.startsWith('"')) {
      try {
        content = JSON.parse(source) as string;
      } catch {
        continue;
      }
    }
    texts.add(content);
    texts.add(printable(content, 300));
  }
  const amounts = new Set<string>();
  for (const content of texts) {
    const isExponent = /^-?(?:0|[1-9]\d*)(?:\.\d+)?e[-+]?\d\d?$/i.test(content);
    const amount = Money.parse(isExponent ? new Decimal(content).toFixed() : content, VCHF, "any");
    if (amount.ok) amounts.add(String(amount.value));
  }
  return { texts, amounts, numbers: new Set([...texts].map(Number)) };
}

function visit(value: unknown, path: string, see: (value: unknown, path: string) => void): void {
  const amount = value instanceof Money || value instanceof Price || value instanceof Quantity;
  if (amount || typeof value !== "object" || value === null) see(value, path);
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, `${path}[${i}]`, see);
  else for (const [key, member] of Object.entries(value)) visit(member, `${path}.${key}`, see);
}

/** A second opinion, by JSON.parse and without our schemas, on the verdicts that move money. */
function misjudged(verdict: Verdict, specimen: Specimen, status: number, text: string): string | undefined {
  if (specimen.kind === "read") return undefined;
  if (verdict.kind === "accepted" && status !== 200) return "accepted without a 200";
  if (verdict.kind === "rejected" && !isNamedRefusal(specimen.endpoint.kind, status, text))
    return "rejected by an answer that the interface does not name as a refusal";
  if (verdict.kind !== "accepted" || specimen.endpoint.path !== "/private/addOrder") return undefined;
  const body = folded(JSON.parse(text));
  const filled = folded(body.order);
  const error = folded(body.error);
  const clean = [error.code, error.message, body.code].every((part) => part === undefined || part === "");
  const agrees =
    clean &&
    ["ok", "success"].includes(String(body.result)) &&
    filled.clordid === order.clientOrderId &&
    /^(?:filled|settled|completed)$/i.test(String(filled.ordstatus)) &&
    Number(filled.bought) === 100 &&
    Number(filled.sold) <= 101.0001;
  return agrees ? undefined : "accepted an order that the answer does not call filled";
}

function folded(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key.toLowerCase(), member]));
}
