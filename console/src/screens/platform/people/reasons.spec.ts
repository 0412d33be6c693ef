import type { User } from '../../../api/schema';
import { platformPeople } from '../../../messages/en/platform-people';
import { reasonsOf } from './reasons';

const ADA: User = {
  id: 'a',
  email: 'ada@example.com',
  name: 'Ada',
  state: 'ACTIVE',
  is_platform_admin: false,
  sign_in: [],
  organisations: [],
  organisation_count: 0,
  last_signed_in_at: null,
  closed_at: null,
  created_at: '2026-03-01T12:00:00.000Z',
};
const reasons = (changes: Partial<User>) => reasonsOf({ ...ADA, ...changes }, platformPeople, (name) => `“${name}”`);

describe('Why an account is there', () => {
  it('is what it administers and where it belongs', () => {
    expect(
      reasons({
        is_platform_admin: true,
        organisations: [
          { org_id: '1', name: 'Acme', role: 'OWNER' },
          { org_id: '2', name: 'Beta', role: 'MEMBER' },
        ],
        organisation_count: 9,
      }),
    ).toEqual(['Administers the platform.', 'Owner of “Acme”, Member of “Beta”, 7 more organisations.']);
  });

  it('is said of every account', () => {
    expect(reasons({})).toEqual(['In no organisation.']);
    expect(reasons({ state: 'WAITING' })).toEqual([platformPeople.why.waiting]);
    expect(reasons({ state: 'CLOSED' })).toEqual([platformPeople.why.closed]);
  });
});
