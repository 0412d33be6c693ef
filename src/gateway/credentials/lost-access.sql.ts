import { isInsider } from '../../bundles/bundle-insider.sql';

/**
 * An expression: whether the person whose credential it is may not use its bundle any more. Null for one that is no person's.
 *
 * @param own the name of the row of `credentials`
 */
export function hasLostAccess(own: string): string {
  return `(SELECT NOT (bundles.visibility = 'PUBLIC' OR ${isInsider(`${own}.person_id`)}) OR people.closed_at IS NOT NULL
    FROM bundles, users AS people WHERE bundles.id = ${own}.bundle_id AND people.id = ${own}.person_id)`;
}
