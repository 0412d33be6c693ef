import type { AccountDeparturePreview } from '../../../api/schema';

/** Things that go with an account, as the words name them. */
export type Departing =
  | 'sessions'
  | 'applications'
  | 'tokens'
  | 'memberships'
  | 'bundles'
  | 'credentials'
  | 'drafts'
  | 'archived'
  | 'endpoints'
  | 'reviews';

/** From here on a person types the name of what they delete. */
const MAX_WITHOUT_NAME = 10;

/** @returns how many of what would go, without what there is none of */
export function countsOf(preview: AccountDeparturePreview): [Departing, number][] {
  const counts: [Departing, number][] = [
    ['bundles', preview.bundle_count],
    ['drafts', preview.deleted_listing_count],
    ['archived', preview.archived_listing_count],
    ['memberships', preview.membership_count],
    ['credentials', preview.credential_count],
    ['endpoints', preview.endpoint_count],
    ['reviews', preview.review_count],
    ['tokens', preview.access_token_count],
    ['applications', preview.application_count],
    ['sessions', preview.session_count],
  ];
  return counts.filter(([, count]) => count > 0);
}

/** @returns whether so much goes that the name has to be typed first */
export function takesName(preview: AccountDeparturePreview): boolean {
  return countsOf(preview).reduce((sum, [, count]) => sum + count, 0) > MAX_WITHOUT_NAME;
}
