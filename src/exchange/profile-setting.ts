// A profile as a person would write it into pegbot.yaml: the nearest preset, and the switches that differ from it.

import { type PresetName, type Profile, type ProfileSetting, presets } from "./profile.ts";

/** In one line: `contract`, or `{ preset: contract, signedPath: relative }`. */
export function profileYaml(profile: Profile): string {
  const setting = profileSetting(profile);
  if (typeof setting === "string") return setting;
  const entries = Object.entries(setting).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? scalar(value) : JSON.stringify(value)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

function profileSetting(profile: Profile): ProfileSetting {
  const settings = (Object.keys(presets) as PresetName[]).map((preset) => ({
    preset,
    ...differences(profile, preset),
  }));
  const nearest = settings.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)[0];
  if (nearest === undefined) return profile;
  return Object.keys(nearest).length === 1 ? nearest.preset : nearest;
}

function differences(profile: Profile, preset: PresetName): Partial<Profile> {
  const base: Profile = presets[preset];
  const names = Object.keys(profile) as (keyof Profile)[];
  return Object.fromEntries(names.filter((name) => profile[name] !== base[name]).map((name) => [name, profile[name]]));
}

/** A JSON string is a YAML string too; words need no quotes. */
function scalar(text: string): string {
  return /^[a-z][a-z0-9-]*$/.test(text) ? text : JSON.stringify(text);
}
