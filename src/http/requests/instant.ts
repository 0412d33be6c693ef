/** RFC 3339, section 5.6, with seconds up to 59: no stored instant has a leap second. */
const INSTANT =
  /^(?<date>\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(?<fraction>\d+))?(?:Z|[-+](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The years that PostgreSQL and JavaScript format alike. */
export const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an instant from a request (contract, section 1): a date and time with an offset, since without one it would
 * be a different instant in every time zone. Stored instants are whole milliseconds; finer ones are rounded up, so that
 * "from" and "before" select the same rows as the exact value would.
 *
 * @returns undefined for anything else, and for days that no calendar has
 */
export function parseInstant(text: string): Date | undefined {
  const groups = INSTANT.exec(text)?.groups;
  if (!groups) return undefined;
  const { date = '', fraction = '' } = groups;
  // Date would parse 30 February as 2 March.
  const midnight = new Date(`${date}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined;
  const isFiner = /[1-9]/.test(fraction.slice(3));
  // Truncated by hand: engines differ on further digits.
  const cut = fraction === '' ? text : text.replace(`.${fraction}`, `.${fraction.slice(0, 3)}`);
  const instant = Date.parse(cut) + (isFiner ? 1 : 0);
  return instant >= EARLIEST && instant <= LATEST ? new Date(instant) : undefined;
}

/** @returns an instant from a request that was checked as one, as stored instants are written; undefined stays so */
export function inUtc(instant: string | undefined): string | undefined {
  return instant === undefined ? undefined : parseInstant(instant)?.toISOString();
}
