import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { BUNDLE_CHILDREN, fillBundle, mentionsOf, rowsOfBundle } from '../support/bundles';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { statementsOf } from '../support/statements';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  // Without a worker, whose statements would be counted too.
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const fill = (bundleId: string, children: number) => fillBundle(test.dataSource, bundleId, children);
const rowsOf = (bundleId: string) => rowsOfBundle(test.dataSource, bundleId);
const isGone = (rows: Record<string, number>) => Object.values(rows).every((count) => count === 0);

const eventsOf = (bundleId: string) =>
  test.dataSource.query<{ data: object }[]>(
    `SELECT org_id, owner_id, data FROM events WHERE type = 'bundle.deleted' AND data->>'bundle_id' = $1`,
    [bundleId],
  );

const everybody = (): [string, Api][] => [
  ['MEMBER who made it', cast.member],
  ['ADMIN', cast.admin],
  ['OWNER', cast.owner],
];

describe('Deleting a bundle', () => {
  it('answers 204 with an empty body, after which the bundle is not found', async () => {
    for (const [, api] of everybody()) {
      const { id } = await createBundle(cast.member, { org_id: cast.orgId });
      const deleted = await api.delete(`/v1/bundles/${id}`);
      expect(deleted.text).toBe('');
      expect(deleted.headers['content-length']).toBeUndefined();
      expect(deleted.headers['content-type']).toBeUndefined();
      const again = await api.delete(`/v1/bundles/${id}`, 404);
      expect(again.body).toEqual({ detail: `Bundle ${id} was not found.`, code: 'bundle_not_found' });
      await api.get(`/v1/bundles/${id}`, 404);
      expect((await api.get(`/v1/bundles?limit=100`)).text).not.toContain(id);
    }
  });

  it('deletes everything that refers to the bundle, and nothing of any other bundle', async () => {
    const referring = await test.dataSource.query<{ name: string; action: string; indexed: boolean }[]>(`
      SELECT conrelid::regclass::text AS name, confdeltype AS action,
             EXISTS (SELECT 1 FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL) AS indexed
      FROM pg_constraint WHERE confrelid = 'bundles'::regclass ORDER BY 1`);
    expect(referring).toEqual(BUNDLE_CHILDREN.map((name) => ({ name, action: 'c', indexed: true })));

    const [doomed, kept] = [await createBundle(cast.owner), await createBundle(cast.owner)];
    for (const { id } of [doomed, kept]) await fill(id, 5);
    const before = await rowsOf(kept.id);
    const five = Object.fromEntries(BUNDLE_CHILDREN.map((name) => [name, 5]));
    expect(before).toEqual({ ...five, bundles: 1, bundle_endpoints: 1, bundle_entries: 6, bundle_versions: 6 });
    expect(await rowsOf(doomed.id)).toEqual(before);
    const [people] = await test.dataSource.query<object[]>(`SELECT count(*) FROM users`);
    const [listings] = await test.dataSource.query<object[]>(`SELECT count(*) FROM listings`);

    await cast.owner.delete(`/v1/bundles/${doomed.id}`);

    expect(isGone(await rowsOf(doomed.id))).toBe(true);
    expect(await mentionsOf(test.dataSource, doomed.id)).toEqual(['events']);
    expect(await rowsOf(kept.id)).toEqual(before);
    expect((await test.dataSource.query<object[]>(`SELECT count(*) FROM users`))[0]).toEqual(people);
    expect((await test.dataSource.query<object[]>(`SELECT count(*) FROM listings`))[0]).toEqual(listings);
  });

  it('records bundle.deleted in the same transaction', async () => {
    await test.dataSource.query(`CREATE TABLE deletions (id uuid)`);
    await test.dataSource.query(`
      CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO deletions VALUES (OLD.id); RETURN NULL; END $$`);
    await test.dataSource.query(
      `CREATE TRIGGER note_deletion AFTER DELETE ON bundles FOR EACH ROW EXECUTE FUNCTION note_deletion()`,
    );
    try {
      const { id, slug } = await createBundle(cast.member, { name: 'Doomed', org_id: cast.orgId });
      await cast.admin.delete(`/v1/bundles/${id}`);
      expect(await eventsOf(id)).toEqual([
        {
          org_id: cast.orgId,
          owner_id: null,
          data: { bundle_id: id, name: 'Doomed', slug, org_id: cast.orgId, deleted_by: await idOf(cast.admin) },
        },
      ]);
      // xmin is the transaction that wrote a row: the trigger's row and the event have the same one.
      const [written] = await test.dataSource.query<{ together: boolean }[]>(
        `SELECT deletions.xmin = events.xmin AS together FROM deletions, events
         WHERE deletions.id = $1 AND events.type = 'bundle.deleted' AND events.data->>'bundle_id' = $1::text`,
        [id],
      );
      expect(written).toEqual({ together: true });
    } finally {
      await test.dataSource.query(`DROP TRIGGER note_deletion ON bundles`);
    }
  });

  it('sends the event of a personal bundle to its owner, even if an editor deletes it', async () => {
    const { id } = await createBundle(cast.owner);
    await test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [
      id,
      await idOf(cast.outsider),
    ]);
    await cast.outsider.delete(`/v1/bundles/${id}`);
    expect(await eventsOf(id)).toMatchObject([
      { org_id: null, owner_id: await idOf(cast.owner), data: { deleted_by: await idOf(cast.outsider) } },
    ]);
  });

  it('succeeds once if ten requests arrive at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
      await fill(id, 3);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 ? cast.owner : cast.admin).call('delete', `/v1/bundles/${id}`, undefined),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
      expect(await eventsOf(id)).toHaveLength(1);
    }
  });

  it('leaves no entry behind that is added at the same moment; the addition succeeds or is not found', async () => {
    const listings = await Promise.all(Array.from({ length: 8 }, () => createListing(test.dataSource)));
    const { id } = await createBundle(cast.owner);
    const [deleted, ...added] = await Promise.all([
      cast.owner.delete(`/v1/bundles/${id}`),
      ...listings.map((listing_id) => cast.owner.call('post', `/v1/bundles/${id}/entries`, undefined, { listing_id })),
    ]);
    expect(deleted.status).toBe(204);
    expect(added.filter(({ status }) => status !== 201 && status !== 404)).toEqual([]);
    expect(isGone(await rowsOf(id))).toBe(true);
  });

  /**
   * The statements that the application sends are counted by TypeORM's logger. What the foreign keys delete happens
   * inside PostgreSQL, so the count must not depend on how much there is.
   */
  it('sends the same six statements for an empty bundle and for one with 1,000 of each child', async () => {
    const [empty, full] = [await createBundle(cast.owner), await createBundle(cast.owner)];
    await fill(full.id, 1_000);
    const sent: string[][] = [];
    for (const { id } of [empty, full]) {
      const statements = await statementsOf(test, () => cast.owner.delete(`/v1/bundles/${id}`));
      sent.push(statements.map(({ sql }) => sql));
    }
    expect(sent[1]).toEqual(sent[0]);
    const verbs = ['START', 'SELECT', 'SELECT', 'DELETE', 'INSERT', 'COMMIT'];
    expect(sent[0]?.map((sql) => sql.trim().split(/\s/)[0])).toEqual(verbs);
    expect(isGone(await rowsOf(full.id))).toBe(true);
  });

  it('deletes nothing if the event cannot be recorded, and does not say why', async () => {
    await test.dataSource.query(`
      CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no room for events, says the cupboard'; END $$`);
    await test.dataSource.query(
      `CREATE TRIGGER refuse_event BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.type = 'bundle.deleted') EXECUTE FUNCTION refuse_event()`,
    );
    const { id } = await createBundle(cast.owner);
    await fill(id, 2);
    const before = await rowsOf(id);
    try {
      const failed = await cast.owner.delete(`/v1/bundles/${id}`, 500);
      expect(failed.body).toEqual({
        detail: `Something went wrong on our side. Quote request ${failed.headers['x-request-id']}.`,
        code: 'internal_error',
      });
      expect(await rowsOf(id)).toEqual(before);
      expect(await eventsOf(id)).toEqual([]);
      // The operator does learn why.
      expect(test.log.some((line) => line.includes('says the cupboard'))).toBe(true);
    } finally {
      await test.dataSource.query(`DROP TRIGGER refuse_event ON events`);
    }
    await cast.owner.delete(`/v1/bundles/${id}`);
    expect(isGone(await rowsOf(id))).toBe(true);
  });

  it('requires a UUID', async () => {
    const refused = await cast.owner.delete('/v1/bundles/1', 422);
    expect(refused.body).toEqual({
      detail: [{ loc: ['path', 'bundle_id'], msg: 'Must be a UUID.', type: 'uuid_parsing' }],
    });
  });
});

describe('The deletion preview of a bundle', () => {
  it('counts what would be deleted, in every table that belongs to the bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    for (const children of [0, 7]) {
      await fill(id, children);
      const rows = await rowsOf(id);
      const preview = (await cast.admin.get(`/v1/bundles/${id}/deletion-preview`)).body;
      expect(preview).toEqual({
        bundle_id: id,
        entry_count: rows.bundle_entries,
        version_count: rows.bundle_versions,
        access_token_count: rows.bundle_access_tokens,
        follower_count: rows.bundle_follows,
        deployment_count: rows.bundle_deployments,
        editor_count: rows.bundle_editors,
        is_endpoint_enabled: false,
        endpoint_user_count: 0,
        credential_count: rows.credentials,
      });
      // A new table has to be in the preview too.
      expect(Object.keys(rows).sort()).toEqual(['bundles', ...BUNDLE_CHILDREN].sort());
      expect(Object.values(await mentionsOf(test.dataSource, id)).sort()).toEqual(
        ['events', ...Object.keys(rows).filter((name) => rows[name])].sort(),
      );
    }
    const before = await rowsOf(id);
    const gone = await deletedRows(id, () => cast.admin.delete(`/v1/bundles/${id}`));
    expect(gone).toEqual(before);
    await cast.admin.get(`/v1/bundles/${id}/deletion-preview`, 404);
  });

  it('says whether clients use it as an endpoint, and how many have sessions with its servers', async () => {
    const [{ id }, other] = [await createBundle(cast.owner), await createBundle(cast.owner)];
    for (const bundle of [id, other.id]) await fill(bundle, 2);
    await test.dataSource.query(`UPDATE bundle_endpoints SET is_enabled = true WHERE bundle_id = $1`, [id]);
    // Two sessions of one person, one of a token; none that is idle, of another bundle, or only about to begin.
    await test.dataSource.query(
      `INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision, used_at)
       SELECT principal, entry_id, upstream_id, '\\x', revision, now() - idle::interval
       FROM endpoint_upstreams CROSS JOIN (VALUES
         ('user ada', '2025-11-25', '0', $1::uuid), ('token 1', '2025-11-25', '29 minutes', $1), ('user eve', '2025-11-25', '31 minutes', $1),
         ('toolyard', '', '0', $1), ('user bob', '2025-11-25', '0', $2)) AS given (principal, revision, idle, bundle)
       WHERE bundle_id = bundle`,
      [id, other.id],
    );
    const { body } = await cast.owner.get(`/v1/bundles/${id}/deletion-preview`);
    expect(body).toMatchObject({ is_endpoint_enabled: true, endpoint_user_count: 2 });
    // Of a person with an account of their own, whose sessions are with a server that the endpoint does not note.
    await test.dataSource.query(
      `WITH own AS (INSERT INTO upstreams (id, digest, url, headers, credential_id)
                    SELECT uuid_v7(), sha256(id::text::bytea), 'https://mcp.example.com/', '{}', id
                    FROM credentials WHERE bundle_id = $1 RETURNING id, credential_id)
       INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision, used_at)
       SELECT 'user zoe', credentials.entry_id, own.id, '\\x', '2025-11-25', now()
       FROM own JOIN credentials ON credentials.id = own.credential_id`,
      [id],
    );
    const withOwn = (await cast.owner.get(`/v1/bundles/${id}/deletion-preview`)).body;
    expect(withOwn.endpoint_user_count).toBe(3);
    const there = (await cast.owner.get(`/v1/bundles/${other.id}/deletion-preview`)).body;
    expect(there).toMatchObject({ is_endpoint_enabled: false, endpoint_user_count: 1 });
  });

  it('changes nothing, and is only for those who can delete the bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const statements = await statementsOf(test, () => cast.owner.get(`/v1/bundles/${id}/deletion-preview`));
    expect(statements.map(({ sql }) => sql.trim().split(/\s/)[0])).toEqual(['SELECT', 'SELECT', 'SELECT']);
    for (const api of [cast.member, cast.outsider]) await api.get(`/v1/bundles/${id}/deletion-preview`, 403);
  });
});

/** How many rows of each table are deleted while `work` runs, as the database counts them. */
async function deletedRows(bundleId: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const tables = ['bundles', ...BUNDLE_CHILDREN];
  await test.dataSource.query(`CREATE TABLE gone (name text)`);
  await test.dataSource.query(`
    CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO gone VALUES (TG_TABLE_NAME); RETURN NULL; END $$`);
  for (const name of tables) {
    await test.dataSource.query(
      `CREATE TRIGGER note_gone AFTER DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION note_gone()`,
    );
  }
  try {
    await work();
    const rows = await test.dataSource.query<{ name: string; count: number }[]>(
      `SELECT name, count(*)::int AS count FROM gone GROUP BY name`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  } finally {
    await test.dataSource.query(`DROP FUNCTION note_gone CASCADE`);
    await test.dataSource.query(`DROP TABLE gone`);
  }
}
