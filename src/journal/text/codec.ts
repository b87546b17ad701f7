// Encodes values to text and decodes them: one description of a type gives both directions, so they cannot drift apart.
// The text is canonical (fields in the order of the description, absent ones left out), and decoding is strict: an
// unknown field, a missing one or an invalid value is an error with its path.

export interface Codec<T> {
  encode(value: T): string;
  /** Throws `Unreadable`. */
  decode(plain: unknown): T;
  /** The value may be undefined; the field is then left out. */
  readonly optional?: true;
}

/** One codec for every field: a field added to the type breaks the build here. */
export type Fields<T> = { readonly [K in keyof T]-?: Codec<T[K]> };

type Kinded = { readonly kind: string };
type Variants<T extends Kinded> = { readonly [K in T["kind"]]: Fields<Omit<Extract<T, { kind: K }>, "kind">> };

export class Unreadable extends Error {
  override readonly name = "Unreadable";
  /** Outermost part first. */
  readonly path: (string | number)[] = [];

  where(): string {
    return this.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  }
}

export function object<T extends object>(fields: Fields<T>): Codec<T> {
  const members = membersOf(fields);
  return {
    encode: (value) => `{${encodeMembers(members, value, "")}}`,
    decode: (plain) => decodeMembers(members, plain, undefined) as T,
  };
}

/** A union tagged `kind`. */
export function tagged<T extends Kinded>(variants: Variants<T>): Codec<T> {
  const known = new Map(
    Object.entries<Fields<object>>(variants).map(([kind, fields]) => {
      return [kind, { members: membersOf(fields), opening: `"kind":"${kind}"` }];
    }),
  );
  return {
    encode(value) {
      const variant = known.get(value.kind);
      if (variant === undefined) throw new Unreadable(`kind must be known, was ${JSON.stringify(value.kind)}`);
      return `{${encodeMembers(variant.members, value, variant.opening)}}`;
    },
    decode(plain) {
      const kind = isObject(plain) && typeof plain.kind === "string" ? plain.kind : undefined;
      const variant = kind === undefined ? undefined : known.get(kind);
      if (variant === undefined) throw new Unreadable(`kind must be known, was ${shown(kind)}`);
      return decodeMembers(variant.members, plain, kind) as T;
    },
  };
}

export function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    encode(values) {
      let text = "";
      for (const value of values) text += text === "" ? item.encode(value) : `,${item.encode(value)}`;
      return `[${text}]`;
    },
    decode(plain) {
      if (!Array.isArray(plain)) throw new Unreadable(`must be a list, was ${shown(plain)}`);
      return plain.map((value, index) => within(index, item, value));
    },
  };
}

export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    optional: true,
    encode: (value) => (value === undefined ? "" : codec.encode(value)),
    decode: (plain) => (plain === undefined ? undefined : codec.decode(plain)),
  };
}

/** A short text of an invalid value, for messages. */
export function shown(plain: unknown): string {
  return (JSON.stringify(plain) ?? "absent").slice(0, 60);
}

type Member = {
  readonly key: string;
  readonly opening: string;
  readonly following: string;
  readonly codec: Codec<unknown>;
  readonly optional: boolean;
};

function membersOf(fields: object): readonly Member[] {
  return Object.entries(fields as Record<string, Codec<unknown>>).map(([key, codec]) => {
    return { key, opening: `"${key}":`, following: `,"${key}":`, codec, optional: codec.optional === true };
  });
}

// Every record is encoded several times, so this loop takes one index and one concatenation per field and allocates
// nothing else.
function encodeMembers(members: readonly Member[], value: object, opening: string): string {
  let text = opening;
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    const field = (value as Record<string, unknown>)[member.key];
    if (field === undefined && member.optional) continue;
    text += text === "" ? member.opening : member.following;
    text += member.codec.encode(field);
  }
  return text;
}

function decodeMembers(members: readonly Member[], plain: unknown, kind: string | undefined): object {
  if (!isObject(plain)) throw new Unreadable(`must be an object, was ${shown(plain)}`);
  const value: Record<string, unknown> = kind === undefined ? {} : { kind };
  let seen = kind === undefined ? 0 : 1;
  for (const { key, codec, optional: mayMiss } of members) {
    const present = Object.hasOwn(plain, key);
    if (present) seen += 1;
    else if (!mayMiss) throw new Unreadable(`must have the field ${key}`);
    value[key] = present ? within(key, codec, plain[key]) : undefined;
  }
  const keys = Object.keys(plain);
  if (keys.length !== seen) {
    const names = new Set([...members.map((member) => member.key), ...(kind === undefined ? [] : ["kind"])]);
    throw new Unreadable(`must not have the field ${keys.find((key) => !names.has(key))}`);
  }
  return value;
}

function within<T>(part: string | number, codec: Codec<T>, plain: unknown): T {
  try {
    return codec.decode(plain);
  } catch (error) {
    if (error instanceof Unreadable) error.path.unshift(part);
    throw error;
  }
}

function isObject(plain: unknown): plain is Record<string, unknown> {
  return typeof plain === "object" && plain !== null && !Array.isArray(plain);
}
