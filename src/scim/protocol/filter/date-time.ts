/** A date and time of a filter, compared with the instants that can be stored: whole milliseconds of the years 1 to 9999. */
export interface DateTime {
  /** The nearest instant that can be stored. */
  readonly instant: Date;
  /** Where the exact value is: it is the instant; before it, and after the one that precedes it; after all. */
  readonly position: 'exact' | 'before' | 'after';
}

/** The years that PostgreSQL and JavaScript format alike. */
const EARLIEST = new Date('0001-01-01T00:00:00.000Z');
const LATEST = new Date('9999-12-31T23:59:59.999Z');

const DATE_TIME =
  /^(?<year>-?(?:\d{4}|[1-9]\d{4,}))-(?<month>\d\d)-(?<day>\d\d)T(?:(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d)(?:\.(?<fraction>\d+))?|24:00:00(?:\.0+)?)(?:Z|(?<offset>[-+](?:[01]\d|2[0-3]):[0-5]\d))?$/;

const MINUTE_MS = 60_000;

/**
 * Parses an `xsd:dateTime` (RFC 7643, section 2.3.5; XML Schema 1.1, part 2, section 3.3.7), which takes more than RFC
 * 3339: no offset (contract, 13.5: UTC), `24:00:00`, any number of digits after the second, any year. Offsets may go up to
 * 23:59, as in RFC 3339.
 *
 * @returns undefined for anything else, and for days that no calendar has
 */
export function parseDateTime(text: string): DateTime | undefined {
  const groups = DATE_TIME.exec(text)?.groups;
  if (!groups) return undefined;
  const { year = '', month, day, hour = '24', minute = '0', second = '0', fraction = '', offset } = groups;
  // The calendar repeats every 400 years, and so do the last four digits. A Date takes no year of more than six.
  const shown = 2_000 + (Number(year.slice(-4)) % 400);
  const midnight = new Date(0).setUTCFullYear(shown, Number(month) - 1, Number(day));
  if (!new Date(midnight).toISOString().startsWith(`${shown}-${month}-${day}T`)) return undefined;
  if (year.startsWith('-')) return { instant: EARLIEST, position: 'before' };
  if (year.length > 4) return { instant: LATEST, position: 'after' };
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  const isFiner = /[1-9]/.test(fraction.slice(3));
  const exact = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day)) + time - offsetMs(offset);
  return within(exact + Number(fraction.slice(0, 3).padEnd(3, '0')) + (isFiner ? 1 : 0), isFiner);
}

/** @param ms rounded up, if the value is finer */
function within(ms: number, isFiner: boolean): DateTime {
  if (ms < EARLIEST.getTime()) return { instant: EARLIEST, position: 'before' };
  if (ms > LATEST.getTime()) return { instant: LATEST, position: 'after' };
  return { instant: new Date(ms), position: isFiner ? 'before' : 'exact' };
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}
