// Figures and times as people read them: cut, grouped, signed; a dash where nothing is known. Times are UTC.

const NONE = "\u2013";

function grouped(exact: string, decimals: number): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?/.exec(exact) ?? [];
  const cut = decimals === 0 ? "" : `.${fraction.slice(0, decimals).padEnd(decimals, "0")}`;
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + cut;
  return sign !== "" && /[1-9]/.test(text) ? `\u2212${text}` : text;
}

export function amount(exact: string | undefined, decimals = 2): string {
  return exact === undefined ? NONE : grouped(exact, decimals);
}

export function change(exact: string | undefined, decimals = 2): string {
  const text = amount(exact, decimals);
  return /^\d/.test(text) && /[1-9]/.test(text) ? `+${text}` : text;
}

/** `1.24M`, `924k`: where a place is small; the title has the whole figure. */
export function short(exact: string | undefined): string {
  if (exact === undefined) return NONE;
  const value = Number(exact);
  if (Math.abs(value) >= 1e6) return `${(value / 1e6).toFixed(2)}M`;
  return Math.abs(value) >= 1e5 ? `${Math.round(value / 1e3)}k` : amount(exact, 0);
}

export function price(value: number | undefined): string {
  return value === undefined ? NONE : value.toFixed(5);
}

export function bps(value: number | undefined): string {
  return value === undefined ? "" : `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${Math.abs(value).toFixed(1)}`;
}

export function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** With the date unless it is that of `now`. */
export function moment(at: number, now: number): string {
  const text = new Date(at).toISOString();
  return text.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
    ? text.slice(11, 19)
    : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}

export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

export function toneOf(exact: string | number | undefined): string {
  const value = Number(exact ?? 0);
  return value > 0 ? "gain" : value < 0 ? "loss" : "";
}
