import { ownedTables, type TableUse, tableUses } from '../test/support/table-uses';

/**
 * Rooms that read or write tables of another room in their own SQL: the coupling that dependency-cruiser does not see.
 * The list may only shrink. Joining permissions into a read is worth it; anything else asks the room that owns it.
 */
const FOREIGN_TABLES: readonly string[] = [
  'auth reads users',
  'bundles reads listing_versions',
  'bundles reads listings',
  'bundles reads memberships',
  'bundles reads users',
  'catalog reads memberships',
  'catalog reads organisations',
  'catalog reads users',
  'commands reads import_quarantine',
  'deletion reads bundle_editors',
  'deletion reads bundles',
  'deletion reads credentials',
  'deletion reads invitations',
  'deletion reads listing_versions',
  'deletion reads listings',
  'deletion reads memberships',
  'deletion reads namespaces',
  'deletion reads organisations',
  'deletion reads scim_groups',
  'deletion reads scim_tokens',
  'deletion reads scim_users',
  'deletion reads users',
  'deletion reads webhook_endpoints',
  'deletion writes organisations',
  'deletion writes users',
  'gateway reads bundle_access_tokens',
  'gateway reads bundle_deployments',
  'gateway reads bundle_editors',
  'gateway reads bundle_entries',
  'gateway reads bundle_follows',
  'gateway reads bundle_versions',
  'gateway reads bundles',
  'gateway reads listing_versions',
  'gateway reads listings',
  'gateway reads memberships',
  'gateway reads scim_group_members',
  'gateway reads scim_groups',
  'gateway reads scim_users',
  'gateway reads users',
  'invitations reads memberships',
  'invitations reads organisations',
  'invitations reads scim_users',
  'invitations reads users',
  'me reads memberships',
  'me reads organisations',
  'organisations reads scim_tokens',
  'organisations reads scim_users',
  'organisations reads users',
  'scim reads audit_log',
  'scim reads memberships',
  'scim reads users',
  'scim writes audit_log',
  'scim writes memberships',
  'scim writes users',
  'server-requests reads listings',
  'server-requests reads memberships',
  'server-requests reads organisations',
  'server-requests reads users',
  'webhooks reads events',
  'webhooks reads memberships',
  'webhooks writes events',
];

describe('Every database table', () => {
  const tables = ownedTables();
  const ownerOf = new Map(tables.map(({ name, owner }) => [name, owner]));
  const foreignUses = tableUses(tables).filter(({ room, table }) => ownerOf.get(table) !== room);
  const pairOf = ({ room, verb, table }: TableUse) => `${room} ${verb} ${table}`;

  it('has a comment with the room of its entity as owner', () => {
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.map(({ name, comment }) => ({ name, comment }))).toEqual(
      tables.map(({ name, owner }) => ({ name, comment: `owner: ${owner}` })),
    );
  });

  it('is used only by its owner, and by other rooms on the list', () => {
    const unlisted = foreignUses
      .filter((use) => !FOREIGN_TABLES.includes(pairOf(use)))
      .map((use) => `${use.file} ${use.verb} ${use.table}: let ${ownerOf.get(use.table)}/ do that`);
    expect([...new Set(unlisted)]).toEqual([]);
  });

  it('is on the list only as long as another room uses it', () => {
    const used = new Set(foreignUses.map(pairOf));
    const gone = FOREIGN_TABLES.filter((pair) => !used.has(pair)).map((pair) => `${pair}: no more, so delete the line`);
    expect(gone).toEqual([]);
  });
});
