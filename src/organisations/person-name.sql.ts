/**
 * The name of a user in an organisation ($1): the account's own name or, if it has none, the name in the organisation's
 * directory. The directory's name is not shown to other organisations or copied to the account (contract, section 7).
 *
 * @param users the alias of the table `users`
 */
export function personName(users = 'users'): string {
  return `COALESCE(${users}.name, (
    SELECT COALESCE(entry.display_name, entry.attributes -> 'name' ->> 'formatted') FROM scim_users AS entry
    WHERE entry.org_id = $1 AND entry.user_id = ${users}.id
    ORDER BY entry.deleted_at DESC NULLS FIRST LIMIT 1))`;
}
