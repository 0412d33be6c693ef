/**
 * Whether a reader knows the address and name of a person: their own, and those of people with whom they share an
 * organisation (contract, section 12.1).
 *
 * @param userId the column that names the person
 * @param reader the parameter that holds the account of the reader
 */
export function isKnown(userId: string, reader: string): string {
  return `(${userId} = ${reader} OR EXISTS (
      SELECT 1 FROM memberships AS own JOIN memberships AS theirs ON theirs.org_id = own.org_id
      WHERE own.user_id = ${reader} AND own.role IS NOT NULL AND theirs.user_id = ${userId}))`;
}
