/**
 * Whether a person may know the address and name of another: they share an organisation (contract, section 12.1). By two
 * indexes for each of them; without `OFFSET`, PostgreSQL may read all memberships first, in order to ask in a hash table
 * (`AlternativeSubPlan`), which a page of a list does not need.
 *
 * @param person the SQL expression of the id of the person who wants to know, who has to be an active member
 * @param other the SQL expression of the id of the other person
 */
export function isColleagueOf(person: string, other: string): string {
  return `EXISTS (
      SELECT 1 FROM memberships AS own JOIN memberships AS theirs ON theirs.org_id = own.org_id
      WHERE own.user_id = ${person} AND own.role IS NOT NULL AND theirs.user_id = ${other} OFFSET 0)`;
}

/** The same, or whether it is the same person. */
export function isAcquaintedWith(person: string, other: string): string {
  return `(${other} = ${person} OR ${isColleagueOf(person, other)})`;
}
