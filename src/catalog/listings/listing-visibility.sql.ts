/** Whether `listings` is in the public catalogue; the partial indexes listings_public… hold exactly these rows. */
export const IS_PUBLIC_LISTING = `(listings.status = 'PUBLISHED' AND listings.visibility = 'PUBLIC')`;

/** Whether everyone may know the name of `listings`: it is public, or was archived when it was public. */
export const IS_NAME_PUBLIC = `(listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT')`;

/**
 * Whether `listings` belongs to a user: personally, or through an organisation of which they are a member.
 *
 * @param person the SQL expression of a person's id, such as `$2`
 */
export function belongsTo(person: string): string {
  return `((listings.org_id IS NULL AND listings.owner_id = ${person})
    OR EXISTS (SELECT 1 FROM memberships WHERE memberships.org_id = listings.org_id AND memberships.user_id = ${person}
                 AND memberships.role IS NOT NULL))`;
}
