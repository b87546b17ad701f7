// Structure-aware damage to a JSON answer: fields dropped, doubled, renamed in case, swapped in type, numbers poisoned,
// nesting, and the text itself cut or with a byte turned.

import type { Random } from "../../src/domain/random.ts";

/** Members are a list, so that a key can stand twice; a leaf is JSON source text. */
type Node =
  | { kind: "object"; members: { key: string; value: Node }[] }
  | { kind: "array"; items: Node[] }
  | { kind: "leaf"; text: string };

const POISON = [
  '"NaN"',
  '"Infinity"',
  "1e400",
  "1e-400",
  '"1e3"',
  "-0",
  '"-0.00"',
  '""',
  '" "',
  "null",
  '"0x10"',
  '"1,234.50"',
  '"1.234,50"',
  '"1 000"',
  '"1_000"',
  '"\uff11\uff12"',
  '"00"',
  '".5"',
  '"5."',
  '"+5"',
  '"5\\n"',
  "9007199254740993",
  '"999999999999999999.999999999999999999"',
  '"-999999999999999999.999999999999999999"',
  '"1000000000000000000"',
  '"0.0000000000000000001"',
  "123456789012345678901234567890",
  "0.1",
  "1e2",
  "true",
  "{}",
  "[]",
  '["100"]',
  '"100"',
  '"0"',
  '"-1"',
  '"Filled"',
  '"Rejected"',
  '"FILLED"',
  '"Settled"',
  '"error"',
  '"rejected"',
  '"bad_gateway"',
  '"bad_request"',
  '"KYB-required"',
  '"FOK not fillable"',
  '"min_amount_below_threshold"',
  "502",
  '"502"',
  "400",
  "403",
  '"CHF"',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u202e"',
  '"VCHF/CHF"',
  '"2026-02-30T00:00:00Z"',
  `"${"x".repeat(300)}"`,
] as const;

const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "error",
  "code",
  "message",
  "status",
  "status_code",
  "railid",
  "requestid",
  "order",
  "id",
  "result",
  "fee",
  "zz",
];

export function mutated(good: unknown, random: Random): string {
  const root = grown(good);
  for (let i = random.integer(1, 3); i > 0; i--) damage(root, random);
  const text = written(root);
  const roll = random.next();
  if (roll < 0.08) return text.slice(0, random.integer(0, text.length));
  if (roll < 0.14) return turned(text, random);
  return text;
}

function damage(root: Node, random: Random): void {
  const places: Node[] = [];
  collect(root, places);
  const node = places[random.integer(0, places.length - 1)] as Node;
  if (node.kind === "object" && random.next() < 0.7) damageObject(node, random);
  else if (node.kind === "array" && random.next() < 0.5) damageArray(node, random);
  else become(node, replacement(node, random));
}

function damageObject(node: Extract<Node, { kind: "object" }>, random: Random): void {
  const { members } = node;
  const at = random.integer(0, Math.max(0, members.length - 1));
  const member = members[at];
  const roll = random.integer(0, 5);
  if (member === undefined || roll === 0) {
    const key = KEYS[random.integer(0, KEYS.length - 1)] as string;
    members.push({ key, value: { kind: "leaf", text: poison(random) } });
  } else if (roll === 1) members.splice(at, 1);
  else if (roll === 2) members.push({ key: member.key, value: { kind: "leaf", text: poison(random) } });
  else if (roll === 3) member.key = recased(member.key, random);
  else if (roll === 4)
    members.push({ key: recased(member.key, random), value: { kind: "leaf", text: poison(random) } });
  else member.value = { kind: "leaf", text: poison(random) };
}

function damageArray({ items }: Extract<Node, { kind: "array" }>, random: Random): void {
  const at = random.integer(0, Math.max(0, items.length - 1));
  const item = items[at];
  if (item === undefined || random.next() < 0.3) items.push({ kind: "leaf", text: poison(random) });
  else if (random.next() < 0.5) items.splice(at, 1);
  else for (let i = random.integer(1, 30); i > 0; i--) items.push(structuredClone(item));
}

function replacement(node: Node, random: Random): Node {
  const roll = random.integer(0, 4);
  if (roll === 0) return { kind: "array", items: [structuredClone(node)] };
  if (roll === 1) return { kind: "object", members: [{ key: "value", value: structuredClone(node) }] };
  if (roll === 2 && node.kind === "leaf")
    return {
      kind: "leaf",
      text: /^".*"$/.test(node.text) ? node.text.slice(1, -1) || "null" : JSON.stringify(node.text),
    };
  if (roll === 3) return nested(node, random.integer(2, 40));
  return { kind: "leaf", text: poison(random) };
}

function nested(node: Node, depth: number): Node {
  let result = structuredClone(node);
  for (let i = 0; i < depth; i++) result = { kind: "array", items: [result] };
  return result;
}

function become(node: Node, other: Node): void {
  for (const key of Object.keys(node)) delete (node as Record<string, unknown>)[key];
  Object.assign(node, other);
}

function poison(random: Random): string {
  return POISON[random.integer(0, POISON.length - 1)] as string;
}

function recased(key: string, random: Random): string {
  return [...key].map((letter) => (random.next() < 0.4 ? letter.toUpperCase() : letter)).join("");
}

function turned(text: string, random: Random): string {
  const at = random.integer(0, text.length - 1);
  return text.slice(0, at) + String.fromCharCode(random.integer(1, 255)) + text.slice(at + 1);
}

function collect(node: Node, into: Node[]): void {
  into.push(node);
  if (node.kind === "object") for (const member of node.members) collect(member.value, into);
  if (node.kind === "array") for (const item of node.items) collect(item, into);
}

function grown(value: unknown): Node {
  if (Array.isArray(value)) return { kind: "array", items: value.map(grown) };
  if (typeof value === "object" && value !== null)
    return { kind: "object", members: Object.entries(value).map(([key, member]) => ({ key, value: grown(member) })) };
  return { kind: "leaf", text: JSON.stringify(value) };
}

function written(node: Node): string {
  if (node.kind === "leaf") return node.text;
  if (node.kind === "array") return `[${node.items.map(written).join(",")}]`;
  return `{${node.members.map(({ key, value }) => `${JSON.stringify(key)}:${written(value)}`).join(",")}}`;
}
