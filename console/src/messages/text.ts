import { en } from './en';
import { pseudo } from './pseudo';

/** Where a test asks for the pseudo-language. */
const LANGUAGE = 'toolyard.language';

const isPseudo = window.localStorage.getItem(LANGUAGE) === 'pseudo';

/** Text that a lazy part brings itself, so that the first screen does not load it. */
export const translated = <Texts>(texts: Texts): Texts => (isPseudo ? pseudo(texts) : texts);

/** The text that the first screen loads. */
export const t: typeof en = translated(en);

/** The language of dates and numbers: that of the browser. */
export const locale = navigator.language;

const NUMBERS = new Intl.NumberFormat(locale);
const COMPACT = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const DATES = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const AGES = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const LISTS = new Intl.ListFormat(locale, { type: 'conjunction' });

export const number = (value: number): string => NUMBERS.format(value);
export const compactNumber = (value: number): string => COMPACT.format(value);
export const date = (instant: string): string => DATES.format(new Date(instant));
export const listOf = (parts: readonly string[]): string => LISTS.format(parts);

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** @returns how long ago an instant was, or how far ahead it is: "3 days ago" */
export function age(instant: string, now = Date.now()): string {
  const seconds = (new Date(instant).getTime() - now) / 1_000;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return AGES.format(Math.trunc(seconds / size), unit);
}
