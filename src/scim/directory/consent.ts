/**
 * Whether a person agrees to the membership that a directory gives them (contract, section 12.1).
 *
 * - `NOT_NEEDED`: the directory created the account, or the organisation was vouched for.
 * - `PENDING`: the person had signed in before the directory pushed them, and has not answered yet.
 * - `ACCEPTED`: they accepted, or were already a manual member when they were pushed. Ends when an ADMIN removes them.
 * - `OPTED_OUT`: they declined or left. Both survive every push, even one that deletes and recreates the entry.
 */
export type Consent = 'NOT_NEEDED' | 'PENDING' | 'ACCEPTED' | 'OPTED_OUT';

/** @returns whether the consent lets an entry give access, and the organisation know the account */
export function hasAgreed(consent: Consent): boolean {
  return consent === 'NOT_NEEDED' || consent === 'ACCEPTED';
}

/** The same in SQL. */
export function hasAgreedSql(consent: string): string {
  return `${consent} IN ('NOT_NEEDED', 'ACCEPTED')`;
}
