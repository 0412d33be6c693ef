import { v7 } from 'uuid';

/** Every id is greater than this one and less than the other. */
export const MIN_ID = '00000000-0000-0000-0000-000000000000';
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A UUID in lower case, as ids are stored (RFC 9562, section 4): the text of a regular expression, or of a part of one, in
 * JavaScript and in PostgreSQL.
 */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** An id as it is stored, in lower case: two spellings of one id would be two ids where texts are compared. */
export const STORED_ID = new RegExp(`^${UUID_PATTERN}$`);

/** An id as people may write it, in either case. */
export const WRITTEN_ID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** The maximum of 48 bits: the year 10889. */
const LATEST = 2 ** 48 - 1;

/** @returns a new UUID version 7 (RFC 9562, section 5.7): later ids sort later, which keeps indexes dense. */
export function newId(): string {
  return v7();
}

/**
 * @param id a UUID version 7
 * @returns when it was created, to the millisecond
 */
export function timeOf(id: string): Date {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * Bounds rows by the time in their ids: ids created at that instant or later are greater, those created before are
 * less.
 */
export function firstIdAt(instant: Date): string {
  const time = Math.min(Math.max(instant.getTime(), 0), LATEST).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
