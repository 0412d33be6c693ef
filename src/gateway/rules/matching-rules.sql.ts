import { rolesIn } from '../../bundles/bundle-insider.sql';

/** The SCIM groups that `bundles.org_id` has a person in, as a list of ids. Someone whom the directory has deactivated is in none. */
export function groupsOf(person: string): string {
  return `SELECT members.group_id
    FROM scim_users AS listed JOIN scim_group_members AS members ON members.scim_user_id = listed.id
    WHERE listed.org_id = bundles.org_id AND listed.user_id = ${person} AND listed.active AND listed.deleted_at IS NULL`;
}

/**
 * Whether `rules`, the rules of `bundles`, are about a principal. An access token is what its creator is, and itself. What
 * groups and roles someone has depends on no rule, so PostgreSQL looks it up once, and only where there is a rule that asks.
 *
 * @param person the SQL expression of their id; of a token that of its creator
 * @param token that of the id of the access token, or of null
 */
export function isAboutPrincipal(person: string, token: string): string {
  return `(rules.bundle_id = bundles.id AND CASE rules.subject_kind
      WHEN 'everyone' THEN true
      WHEN 'person' THEN rules.subject_id = ${person}
      WHEN 'token' THEN rules.subject_id = ${token}
      WHEN 'group' THEN rules.subject_id = ANY (ARRAY(${groupsOf(person)}))
      ELSE rules.subject_role = ANY ((SELECT ${rolesIn(person)})::text[])
    END)`;
}

/** The places of the rules that are about a principal, such as `0,3,4`; null: there are none. Parameters as above. */
export function matchingRules(person: string, token: string): string {
  return `(SELECT string_agg(rules.place::text, ',' ORDER BY rules.place)
    FROM bundle_policies AS rules WHERE ${isAboutPrincipal(person, token)})`;
}
