import { Departures, ORDER } from '../../src/deletion/departures';
import { createTestApp, TestApp } from '../support/app';
import { createCast, createListing, unique } from '../support/factories';
import { statementsOf } from '../support/statements';

/** `UPDATE listings` for a statement that changes rows, ours or TypeORM's, perhaps with others before it on their lines. */
function change(sql: string): string | undefined {
  const [, verb, table] = /^\s*(?:WITH .*\)\s+)?(UPDATE|DELETE FROM)\s+"?(\w+)/.exec(sql) ?? [];
  return verb && `${verb} ${table}`;
}

describe('What is removed with accounts and organisations', () => {
  let test: TestApp;

  beforeAll(async () => {
    // Without a worker, whose statements would be among those of the requests.
    test = await createTestApp({ env: { RUN: 'api' } });
  });
  afterAll(() => test.close());

  const changesOf = async (work: () => Promise<unknown>) =>
    (await statementsOf(test, work)).map(({ sql }) => change(sql)).filter((text) => text !== undefined);

  // If you are here for a name: rooms register in their modules what `src/deletion/departures.ts` puts in order.
  it('is registered by the rooms, each under its name in the declared order', () => {
    expect(test.app.get(Departures).all.map(({ what }) => what)).toEqual(ORDER);
  });

  it('is removed with an account in the declared order', async () => {
    const person = await test.as(unique('person'));
    const listing = await createListing(test.dataSource);
    await person.post(`/v1/mcp/listings/${listing}/reviews`, { rating: 4 });
    expect(await changesOf(() => person.delete('/v1/users/me', 204))).toEqual([
      'DELETE FROM scim_users',
      'DELETE FROM namespaces',
      'UPDATE organisations',
      'DELETE FROM connect_flows',
      'DELETE FROM credentials',
      'DELETE FROM server_requests',
      'UPDATE server_requests',
      'DELETE FROM bundles',
      'DELETE FROM bundle_follows',
      'DELETE FROM bundle_editors',
      // Listings no longer count the reviews.
      'UPDATE listings',
      'DELETE FROM listing_reviews',
      'UPDATE listing_versions',
      'UPDATE listings',
      'DELETE FROM listings',
      'DELETE FROM webhook_endpoints',
      'DELETE FROM invitations',
      'UPDATE invitations',
      'DELETE FROM passwords',
      'DELETE FROM passkeys',
      'DELETE FROM recovery_codes',
      'DELETE FROM sessions',
      // With those that an administrator handed out.
      'DELETE FROM requested_password_resets',
      'DELETE FROM oauth_artifacts',
      'DELETE FROM personal_access_tokens',
      'UPDATE mails',
      'UPDATE account_audit_log',
      'UPDATE users',
    ]);
  });

  it('is removed with an organisation in the declared order', async () => {
    const { orgId, owner } = await createCast(test);
    expect(await changesOf(() => owner.delete(`/v1/organisations/${orgId}`, 204))).toEqual([
      'UPDATE organisations',
      'DELETE FROM scim_tokens',
      'DELETE FROM memberships',
      'DELETE FROM credentials',
      'DELETE FROM bundles',
      'UPDATE listing_versions',
      'UPDATE listings',
      'DELETE FROM listings',
    ]);
  });
});
