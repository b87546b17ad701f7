// What the lock and the manifest must keep, so that `npm ci` brings the same bytes everywhere: no host, exact versions, a
// hash for every package, and every platform we support present for each package that ships per platform.

type Entry = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
export type Lock = { readonly packages: Readonly<Record<string, Entry>> };
export type Manifest = Readonly<Record<string, unknown>>;

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64"] as const;
const ANY_PLATFORM = /(linux|darwin|win32|win)-(x64|arm64)/;
const EXACT = /^\d+\.\d+\.\d+$/;
const VERSION_FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides"];

export function lockFindings(lock: Lock): readonly string[] {
  const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
  return [
    ...installed.flatMap(([path, entry]) => entryFindings(path, entry)),
    ...Object.entries(lock.packages).flatMap(([path, entry]) => platformFindings(path, entry, lock)),
  ];
}

export function manifestFindings(manifest: Manifest): readonly string[] {
  return VERSION_FIELDS.flatMap((field) => {
    return Object.entries(manifest[field] ?? {}).flatMap(([name, version]) => {
      return EXACT.test(String(version)) ? [] : [`${field} must name an exact version of ${name}, was ${version}`];
    });
  });
}

function entryFindings(path: string, { resolved, integrity, version }: Entry): readonly string[] {
  const findings: string[] = [];
  if (resolved !== undefined) findings.push(`${path} must not say where it came from, was resolved to ${resolved}`);
  if (version?.includes(":")) findings.push(`${path} must come from the registry, was ${version}`);
  if (!integrity?.startsWith("sha512-")) findings.push(`${path} must have a sha512 hash, was ${integrity}`);
  return findings;
}

function platformFindings(path: string, { optionalDependencies = {} }: Entry, lock: Lock): readonly string[] {
  const names = Object.keys(optionalDependencies).filter((name) => ANY_PLATFORM.test(name));
  if (names.length === 0) return [];
  return PLATFORMS.flatMap((platform) => {
    const builds = names.filter((name) => name.includes(platform));
    if (builds.length === 0) return [`${path || "package.json"} has no build for ${platform}`];
    const missing = builds.filter((name) => lock.packages[`node_modules/${name}`]?.integrity === undefined);
    return missing.map((name) => `${path || "package.json"} wants ${name} for ${platform}, which the lock lacks`);
  });
}
