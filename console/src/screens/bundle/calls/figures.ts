/** @returns a share in percent, so that some is never shown as none: "4.2%", "<0.1%" */
export function shareText(part: number, whole: number, locale: string): string | undefined {
  if (whole === 0) return undefined;
  const share = part / whole;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  if (part > 0 && share < 0.001) return `<${percent.format(0.001)}`;
  if (part < whole && share > 0.999) return `>${percent.format(0.999)}`;
  return percent.format(share);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** @param ms milliseconds @returns how long that is, in at most two units: "7.2 ms", "182 ms", "1.8 sec", "2 min 5 sec" */
export function durationText(ms: number, locale: string): string {
  if (ms < 999.5) return inUnit(ms, 'millisecond', ms < 9.95 ? 1 : 0, locale);
  if (ms < MINUTE_MS - SECOND_MS / 2) return inUnit(ms / SECOND_MS, 'second', ms < 9_950 ? 1 : 0, locale);
  const seconds = Math.round(ms / SECOND_MS);
  const minutes = inUnit(Math.floor(seconds / 60), 'minute', 0, locale);
  return seconds % 60 === 0 ? minutes : `${minutes} ${inUnit(seconds % 60, 'second', 0, locale)}`;
}

const FORMATS = new Map<string, Intl.NumberFormat>();

/** Making a format takes longer than using it, and each row of the record has one. */
function inUnit(value: number, unit: string, maximumFractionDigits: number, locale: string): string {
  const key = `${locale} ${unit} ${maximumFractionDigits}`;
  let format = FORMATS.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits });
    FORMATS.set(key, format);
  }
  return format.format(value);
}

const KILO = 1_000;
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** @returns a size: "120 byte", "4.2 kB" */
export function sizeText(bytes: number, locale: string): string {
  let value = bytes;
  let step = 0;
  while (value >= KILO && step < SIZES.length - 1) {
    value /= KILO;
    step += 1;
  }
  return inUnit(value, SIZES[step] ?? 'byte', step > 0 && value < 10 ? 1 : 0, locale);
}

/**
 * @param fraction such as 0.99
 * @returns the value that this part of the values does not exceed, and which is one of them, as `percentile_disc` of
 * PostgreSQL, by which the API counts; undefined if there are none
 */
export function percentile(values: readonly number[], fraction: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
}
