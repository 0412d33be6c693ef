import { newId } from '../../src/database/id';
import type { Answer, Api } from '../support/api';
import type { Invitation, InvitationCreate } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, idOf, join, unique } from '../support/factories';
import { codeOf } from '../support/faults';
import { answer, createPerson, myInvitations } from '../support/invitations';
import { watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';
import { statementsOf } from '../support/statements';
import type { OrganisationPath } from '../support/typed-paths';

const DAY_MS = 24 * 3_600_000;

let test: TestApp;
let cast: Cast;
let members: OrganisationPath<'members'>;
let invitations: OrganisationPath<'invitations'>;
let events: ReturnType<typeof watchEvents>;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', LIMIT_PENDING_INVITATIONS: '5', LIMIT_INVITATIONS_PER_DAY: '12' } });
});

beforeEach(async () => {
  cast = await createCast(test);
  members = `/v1/organisations/${cast.orgId}/members`;
  invitations = `/v1/organisations/${cast.orgId}/invitations`;
  events = watchEvents(test.dataSource, cast.orgId);
  await events();
});

afterAll(() => test.close());

const someone = () => createPerson(test);
const invite = async (by: Api, body: InvitationCreate): Promise<Invitation> => (await by.post(members, body)).body;
const read = async (id: string): Promise<Invitation> => (await cast.owner.get(`${invitations}/${id}`)).body;
const expire = (id: string) =>
  test.dataSource.query(`UPDATE invitations SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);

describe('Inviting a person to an organisation', () => {
  it('by address creates an invitation, not a membership, and emits an event', async () => {
    const { api, email } = await someone();
    const response = await cast.owner.post(members, { email, role: 'ADMIN' });
    const body = response.body;
    expect(body).toEqual({
      id: expect.any(String) as string,
      email,
      user_id: null,
      role: 'ADMIN',
      status: 'PENDING',
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(14 * DAY_MS);
    expect(response.headers.location).toBe(`${invitations}/${body.id}`);
    expect(await read(body.id)).toEqual(body);
    await api.get(`/v1/organisations/${cast.orgId}`, 404);
    expect(await events()).toEqual([
      {
        type: 'member.invited',
        data: { org_id: cast.orgId, invitation_id: body.id, email, user_id: null, role: 'ADMIN' },
      },
    ]);
  });

  it('answers the same, with the same statements, whether or not the address has an account', async () => {
    const knownAddress = (await someone()).email;
    const named = await test.as(unique('named'));
    await idOf(named);
    await test.dataSource.query(`UPDATE users SET name = 'A Secret Name' WHERE id = $1`, [await idOf(named)]);
    const unknown = `${unique('unknown')}@example.com`;
    const closed = await someone();
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [closed.id]);
    const seen: { text: string; headers: string[]; statements: string[] }[] = [];
    for (const email of [knownAddress, unknown, closed.email]) {
      const responses: Answer<Invitation>[] = [];
      const statements = await statementsOf(test, async () => {
        responses.push(await cast.owner.post(members, { email, role: 'MEMBER' }));
      });
      for (const { body, text, headers } of responses) {
        const own = [body.id, body.created_at, body.expires_at, email];
        seen.push({
          text: own.reduce((rest, part) => rest.replaceAll(part, '…'), text),
          headers: Object.keys(headers),
          statements: statements.map(({ sql }) => sql),
        });
      }
    }
    expect(seen).toHaveLength(3);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]?.statements.length).toBeGreaterThan(5);
    const users = await test.dataSource.query<object[]>(`SELECT 1 FROM users WHERE email = $1`, [unknown]);
    expect(users).toEqual([]);
  });

  it('by user id works only for people who share an organisation with the caller; others are not found', async () => {
    const { id: stranger } = await someone();
    const texts = await Promise.all(
      [stranger, newId()].map(async (user_id) => {
        const response = await cast.owner.post(members, { user_id, role: 'MEMBER' }, 404);
        expect(codeOf(response)).toBe('user_not_found');
        return response.text.replace(user_id, '<id>');
      }),
    );
    expect(texts[0]).toBe(texts[1]);

    const other = await createCast(test);
    const colleague = await someone();
    await join(other.owner, other.orgId, colleague.api);
    await join(other.owner, other.orgId, cast.owner);
    const invited = await invite(cast.owner, { user_id: colleague.id, role: 'MEMBER' });
    expect(invited).toMatchObject({ email: null, user_id: colleague.id, status: 'PENDING' });
    // Other members of the organisation need not know them.
    expect((await cast.admin.get(`${invitations}/${invited.id}`)).text).not.toContain(colleague.email);
    await answer(colleague.api, invited.id, 'accept');
    expect((await colleague.api.get(`/v1/organisations/${cast.orgId}`)).body).toMatchObject({ role: 'MEMBER' });

    const closed = { user_id: await idOf(other.admin), role: 'MEMBER' };
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [closed.user_id]);
    expect(codeOf(await cast.owner.post(members, closed, 404))).toBe('user_not_found');
  });

  it.each([
    ['neither user_id nor email', { role: 'MEMBER' }, ['body.user_id missing']],
    ['null for both', { user_id: null, email: null, role: 'MEMBER' }, ['body.user_id missing']],
    ['both', { user_id: newId(), email: 'bob@example.com', role: 'MEMBER' }, ['body.user_id value_error']],
    ['no role', { email: 'bob@example.com' }, ['body.role missing']],
    [
      'several errors at once',
      { user_id: '7', email: 'bob', role: 'KING' },
      ['body.email value_error', 'body.role enum', 'body.user_id uuid_parsing'],
    ],
  ])('rejects %s', async (_, fields, faults) => {
    const { detail } = (await cast.owner.post(members, fields, 422)).body;
    expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual(faults);
    expect(await events()).toEqual([]);
  });

  it('is for OWNERs, and for ADMINs up to the role ADMIN', async () => {
    const email = `${unique('new')}@example.com`;
    expect(codeOf(await cast.admin.post(members, { email, role: 'OWNER' }, 403))).toBe('insufficient_role');
    expect(codeOf(await cast.member.post(members, { email, role: 'MEMBER' }, 403))).toBe('insufficient_role');
    expect(codeOf(await cast.outsider.post(members, { email, role: 'MEMBER' }, 404))).toBe('organisation_not_found');
    expect(await invite(cast.admin, { email, role: 'ADMIN' })).toMatchObject({ role: 'ADMIN' });
    expect(await invite(cast.owner, { email: `${unique('new')}@example.com`, role: 'OWNER' })).toMatchObject({
      role: 'OWNER',
    });
  });

  it('is refused for members, by id and by address in any case of A–Z', async () => {
    const { email } = (await cast.member.get('/v1/users/me')).body;
    for (const who of [{ user_id: await idOf(cast.member) }, { email }, { email: email?.toUpperCase() }]) {
      expect(codeOf(await cast.admin.post(members, { ...who, role: 'MEMBER' }, 409))).toBe('member_conflict');
    }
  });

  it('is refused while another invitation is pending, even for concurrent requests', async () => {
    const email = `${unique('Twice')}@example.com`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => cast.owner.call('post', members, undefined, { email, role: 'MEMBER' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const again = await cast.owner.post(members, { email: email.toLowerCase(), role: 'ADMIN' }, 409);
    expect(codeOf(again)).toBe('invitation_conflict');
    const [pending] = (await cast.owner.get(invitations)).body;
    await cast.owner.delete(`${invitations}/${pending?.id}`);
    await invite(cast.owner, { email, role: 'ADMIN' });
  });

  it('is limited by the number of pending invitations; settled ones do not count', async () => {
    const sent: Invitation[] = [];
    for (let n = 0; n < 5; n++)
      sent.push(await invite(cast.owner, { email: `${unique('m')}@example.com`, role: 'MEMBER' }));
    const more: InvitationCreate = { email: `${unique('m')}@example.com`, role: 'MEMBER' };
    const refused = await cast.owner.post(members, more, 409);
    expect(refused.body).toMatchObject({
      code: 'invitation_conflict',
      detail: expect.stringContaining('5 pending') as string,
    });
    await expire(sent[0]?.id ?? '');
    await invite(cast.owner, more);
    await cast.owner.post(members, { ...more, email: `${unique('m')}@example.com` }, 409);
  });

  it('is limited per 24 hours; revoked invitations count', async () => {
    const inviteAndRevoke = async () => {
      const { id } = await invite(cast.owner, { email: `${unique('r')}@example.com`, role: 'MEMBER' });
      await cast.owner.delete(`${invitations}/${id}`);
    };
    // Plus the two with which the cast was invited.
    for (let n = 0; n < 10; n++) await inviteAndRevoke();
    const refused = await cast.owner.post(members, { email: `${unique('r')}@example.com`, role: 'MEMBER' }, 429);
    expect(refused.body).toEqual({
      code: 'rate_limited',
      detail: 'An organisation can send at most 12 invitations in 24 hours.',
    });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(23 * 3_600);
    expect(seconds).toBeLessThanOrEqual(24 * 3_600);
    // The time of an invitation is that of its id.
    await test.dataSource.query(
      `UPDATE invitations SET id = ('00000000-0000-7000' || substr(id::text, 19))::uuid
       WHERE id = (SELECT id FROM invitations WHERE org_id = $1 ORDER BY id LIMIT 1)`,
      [cast.orgId],
    );
    await inviteAndRevoke();
    await cast.owner.post(members, { email: `${unique('r')}@example.com`, role: 'MEMBER' }, 429);
  });

  it('does not affect an account that another organisation has invited too', async () => {
    const { api, email, id } = await someone();
    const other = await createCast(test);
    const [here, there] = await Promise.all([
      invite(cast.owner, { email, role: 'MEMBER' }),
      other.owner.post(`/v1/organisations/${other.orgId}/members`, { email, role: 'ADMIN' }),
    ]);
    expect((await myInvitations(api)).map(({ org_id }) => org_id).sort()).toEqual([cast.orgId, other.orgId].sort());
    await answer(api, here.id, 'accept');
    await answer(api, there.body.id, 'accept');
    expect((await api.get('/v1/users/me')).body).toMatchObject({ id, organisations: [{}, {}] });
  });
});

describe('The invitations of an organisation', () => {
  it('are listed newest first, page by page, filtered by status', async () => {
    const sent: Invitation[] = [];
    for (let n = 0; n < 4; n++)
      sent.push(await invite(cast.owner, { email: `${unique('l')}@example.com`, role: 'MEMBER' }));
    await cast.admin.delete(`${invitations}/${sent[0]?.id}`);
    await expire(sent[1]?.id ?? '');
    const listed = await allPages(cast.admin, `${invitations}?limit=3`);
    expect(listed.map(({ id }) => id)).toEqual(
      sent
        .map(({ id }) => id)
        .reverse()
        .concat(await earlier(listed.length - 4)),
    );
    const idsOf = async (status: string) =>
      (await allPages(cast.admin, `${invitations}?limit=1&status=${status}`)).map(({ id }) => id);
    expect(await idsOf('REVOKED')).toEqual([sent[0]?.id]);
    expect(await idsOf('EXPIRED')).toEqual([sent[1]?.id]);
    expect(await idsOf('PENDING')).toEqual([sent[3]?.id, sent[2]?.id]);
    expect(await idsOf('ACCEPTED')).toHaveLength(2);
    await cast.admin.get(`${invitations}?status=LOST`, 422);
  });

  /** The cast was invited too. */
  async function earlier(count: number): Promise<string[]> {
    const rows = await test.dataSource.query<{ id: string }[]>(
      `SELECT id FROM invitations WHERE org_id = $1 AND status = 'ACCEPTED' ORDER BY id DESC LIMIT $2`,
      [cast.orgId, count],
    );
    return rows.map(({ id }) => id);
  }

  it('can be revoked, repeatedly, by ADMINs up to the role ADMIN, but not once accepted', async () => {
    const { api, email } = await someone();
    const toOwner = await invite(cast.owner, { email: `${unique('o')}@example.com`, role: 'OWNER' });
    expect(codeOf(await cast.admin.delete(`${invitations}/${toOwner.id}`, 403))).toBe('insufficient_role');
    for (let time = 0; time < 2; time++) await cast.owner.delete(`${invitations}/${toOwner.id}`);
    const accepted = await invite(cast.owner, { email, role: 'MEMBER' });
    await answer(api, accepted.id, 'accept');
    expect(codeOf(await cast.owner.delete(`${invitations}/${accepted.id}`, 409))).toBe('invitation_conflict');
    expect(codeOf(await cast.owner.delete(`${invitations}/${newId()}`, 404))).toBe('invitation_not_found');
  });

  it('are valid only while the inviter could still send them', async () => {
    const partner = await someone();
    await join(cast.owner, cast.orgId, partner.api, 'OWNER');
    const [heir, helper] = [await someone(), await someone()];
    const toOwner = await invite(partner.api, { email: heir.email, role: 'OWNER' });
    const toMember = await invite(partner.api, { email: helper.email, role: 'MEMBER' });

    await cast.owner.patch(`${members}/${partner.id}`, { role: 'ADMIN' });
    expect(await read(toOwner.id)).toMatchObject({ status: 'REVOKED' });
    expect(await myInvitations(heir.api)).toEqual([]);
    expect((await heir.api.post(`/v1/users/me/invitations/${toOwner.id}/accept`, undefined, 409)).body).toMatchObject({
      detail: 'This invitation was revoked.',
    });
    expect(await read(toMember.id)).toMatchObject({ status: 'PENDING' });

    await cast.owner.delete(`${members}/${partner.id}`);
    expect(await read(toMember.id)).toMatchObject({ status: 'REVOKED' });
    await helper.api.post(`/v1/users/me/invitations/${toMember.id}/accept`, undefined, 409);
    // Neither blocks another invitation.
    await invite(cast.owner, { email: helper.email, role: 'MEMBER' });
    // An invitation that has become invalid stays invalid.
    await join(cast.owner, cast.orgId, partner.api, 'OWNER');
    expect(await read(toOwner.id)).toMatchObject({ status: 'REVOKED' });
  });

  it('are deleted with the organisation, and with the invited account', async () => {
    const other = await createCast(test);
    const colleague = await someone();
    await join(other.owner, other.orgId, colleague.api);
    await join(other.owner, other.orgId, cast.owner);
    const byId = await invite(cast.owner, { user_id: colleague.id, role: 'MEMBER' });
    await test.dataSource.query(`DELETE FROM users WHERE id = $1`, [colleague.id]);
    await cast.owner.get(`${invitations}/${byId.id}`, 404);
    const { api, email } = await someone();
    await invite(cast.owner, { email, role: 'MEMBER' });
    await test.dataSource.query(`DELETE FROM organisations WHERE id = $1`, [cast.orgId]);
    expect(await myInvitations(api)).toEqual([]);
  });
});
