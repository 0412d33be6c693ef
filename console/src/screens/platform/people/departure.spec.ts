import type { AccountDeparturePreview } from '../../../api/schema';
import { countsOf, takesName } from './departure';

const NONE: AccountDeparturePreview = {
  user_id: 'a',
  last_owner_of: [],
  session_count: 0,
  application_count: 0,
  access_token_count: 0,
  membership_count: 0,
  bundle_count: 0,
  credential_count: 0,
  deleted_listing_count: 0,
  archived_listing_count: 0,
  endpoint_count: 0,
  review_count: 0,
};

describe('What goes with an account', () => {
  it('is only what there is', () => {
    expect(countsOf(NONE)).toEqual([]);
    expect(countsOf({ ...NONE, review_count: 2, bundle_count: 1 })).toEqual([
      ['bundles', 1],
      ['reviews', 2],
    ]);
  });

  it('takes the name from eleven things on, of whatever kind', () => {
    expect(takesName({ ...NONE, bundle_count: 4, session_count: 6 })).toBe(false);
    expect(takesName({ ...NONE, bundle_count: 5, session_count: 6 })).toBe(true);
  });
});
