// How things read on the page. Amounts come as exact texts and are cut to what a person reads.

import { said } from "../../chart/page/format.js";

const DASH = "\u2013";

/** Cut and not rounded, as on the terminal: one amount has one text. */
export function amount(text) {
  return text === undefined ? DASH : said(Number(text.replace(/(\.\d\d)\d+$/, "$1")), "money");
}

/** With its sign: what was gained or lost. */
export function change(text) {
  const shown = amount(text);
  return /^[0-9]/.test(shown) && /[1-9]/.test(shown) ? `+${shown}` : shown;
}

/** What a request earned on average: a small figure. */
export function perRequest(value) {
  if (value === undefined || value === null) return DASH;
  return value > 0 ? `+${value.toFixed(4)}` : value.toFixed(4).replace("-", "\u2212");
}

export function toneOf(text) {
  const value = Number(text ?? 0);
  return Math.abs(value) < 0.005 ? "" : value > 0 ? "gain" : "loss";
}

export function price(value) {
  return value === undefined || value === null ? DASH : said(value, "price");
}

export function basisPoints(value) {
  if (value === undefined || value === null) return DASH;
  const text = said(value, "bps").replace(/(\.\d)\d/, "$1");
  // Nothing that is left after the cut has a sign.
  if (!/[1-9]/.test(text)) return text.replace(/^[^0-9]/, "");
  return value > 0 ? `+${text}` : text;
}

/** All its digits, with the thousands apart: `3,509.125 VCHF`, for what a person is to pay. */
export function grouped(text) {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

const DIGITS = 6;

/**
 * Of an asset: cut as well, to six digits that count and two decimals at least, since a coin may be worth a fortune.
 */
export function quantity(text) {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? "") ?? [];
  if (text === undefined) return DASH;
  const leading = whole === "0" ? /^0*/.exec(part)[0].length : -whole.length;
  const shown = part
    .slice(0, Math.max(2, leading + DIGITS))
    .replace(/0+$/, "")
    .padEnd(2, "0");
  const figure = `${grouped(whole)}.${shown}`;
  return sign === "-" && /[1-9]/.test(figure) ? `\u2212${figure}` : figure;
}

/** `12:03:11`, and the day before it unless it is today's; UTC. */
export function moment(at, now) {
  return date(at) === date(now) ? clock(at) : `${date(at)} ${clock(at)}`;
}

/** `12:03:11`, UTC. */
export function clock(at) {
  return new Date(at).toISOString().slice(11, 19);
}

export function date(at) {
  return new Date(at).toISOString().slice(0, 10);
}

/** `3.2 s`, `4 min`, `2 h 10 min`. */
export function age(ms) {
  if (ms === undefined || ms === null) return DASH;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `0:01:23`, with days before it once there are any. */
export function uptime(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const time = `${Math.floor(seconds / 3_600) % 24}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days === 0 ? time : `${days}d ${time}`;
}

export function count(value) {
  return said(value, "count");
}

export function percent(part, decimals = 0) {
  return `${(part * 100).toFixed(decimals)} %`;
}
