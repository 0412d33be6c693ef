/**
 * What an organisation ($1) calls a person: the account's own name; without one, what the organisation's directory calls
 * them. Other organisations never see the directory's name, and the account never gets it (contract, section 7).
 *
 * @param users the alias of the table `users`
 */
export function personName(users = 'users'): string {
  return `COALESCE(${users}.name, (
    SELECT COALESCE(entry.display_name, entry.attributes -> 'name' ->> 'formatted') FROM scim_users AS entry
    WHERE entry.org_id = $1 AND entry.user_id = ${users}.id
    ORDER BY entry.deleted_at DESC NULLS FIRST LIMIT 1))`;
}
