import type { Response } from 'supertest';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { Invitation, InvitationCreate } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createScimUser, idOf, join, unique } from '../support/factories';
import { codeOf } from '../support/faults';
import { holding, untilBlocked } from '../support/held-lock';
import { answer, createPerson, myInvitations } from '../support/invitations';
import { watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';
import type { OrganisationPath } from '../support/typed-paths';

let test: TestApp;
let cast: Cast;
let members: OrganisationPath<'members'>;
let invitations: OrganisationPath<'invitations'>;
let events: ReturnType<typeof watchEvents>;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', LIMIT_PENDING_INVITATIONS: '5' } });
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

describe('An invited person', () => {
  it('sees the invitation and becomes a member by accepting it, once', async () => {
    const { api, id, email } = await someone();
    const invited = await invite(cast.admin, { email: email.toUpperCase(), role: 'ADMIN' });
    await events();
    const seen = await myInvitations(api);
    expect(seen).toEqual([
      {
        id: invited.id,
        kind: 'INVITATION',
        org_id: cast.orgId,
        name: expect.any(String) as string,
        slug: expect.any(String) as string,
        role: 'ADMIN',
        status: 'PENDING',
        expires_at: invited.expires_at,
        created_at: invited.created_at,
      },
    ]);
    expect(await answer(api, invited.id, 'accept')).toEqual({ ...seen[0], status: 'ACCEPTED' });
    expect(await read(invited.id)).toEqual({ ...invited, status: 'ACCEPTED' });
    expect((await cast.owner.get(`${members}/${id}`)).body).toMatchObject({
      role: 'ADMIN',
      manual_role: 'ADMIN',
      scim_role: null,
    });
    expect(await events()).toEqual([
      {
        type: 'member.added',
        data: { org_id: cast.orgId, user_id: id, role: 'ADMIN', role_before: null, reason: 'accepted_invitation' },
      },
    ]);
    expect(await myInvitations(api)).toEqual([]);
    for (const word of ['accept', 'decline']) {
      const again = await api.post(`/v1/users/me/invitations/${invited.id}/${word}`, undefined, 409);
      expect(codeOf(again)).toBe('invitation_conflict');
    }
  });

  it('can be someone who has not signed in yet', async () => {
    const subject = unique('newcomer');
    const invited = await invite(cast.owner, { email: `${subject}@Example.com`, role: 'MEMBER' });
    const newcomer = await test.as(subject);
    expect((await newcomer.get('/v1/users/me')).body).toMatchObject({ organisations: [] });
    await answer(newcomer, invited.id, 'accept');
    expect((await newcomer.get('/v1/users/me')).body).toMatchObject({ organisations: [{ org_id: cast.orgId }] });
  });

  it('can decline, of which the organisation learns only the status', async () => {
    const { api, id, email } = await someone();
    const invited = await invite(cast.owner, { email, role: 'MEMBER' });
    await events();
    expect(await answer(api, invited.id, 'decline')).toMatchObject({ status: 'DECLINED' });
    expect(await read(invited.id)).toEqual({ ...invited, status: 'DECLINED' });
    expect(await myInvitations(api)).toEqual([]);
    expect(await events()).toEqual([]);
    const log = await cast.owner.get(`/v1/organisations/${cast.orgId}/audit-log?limit=1`);
    expect(log.body).toMatchObject([
      {
        action: 'invitation.declined',
        actor: { type: 'user', id: null, name: null, email: null },
        subject_id: invited.id,
      },
    ]);
    expect(log.text).not.toContain(id);
    // They can be invited again.
    await invite(cast.owner, { email, role: 'MEMBER' });
  });

  it('is the only one who can see the invitation', async () => {
    const { email } = await someone();
    const invited = await invite(cast.owner, { email, role: 'MEMBER' });
    for (const api of [(await someone()).api, cast.owner, cast.member]) {
      expect(await myInvitations(api)).toEqual([]);
      for (const word of ['accept', 'decline']) {
        const there = await api.post(`/v1/users/me/invitations/${invited.id}/${word}`, undefined, 404);
        const nowhere = newId();
        const absent = await api.post(`/v1/users/me/invitations/${nowhere}/${word}`, undefined, 404);
        expect(codeOf(there)).toBe('invitation_not_found');
        expect(there.text.replace(invited.id, '')).toBe(absent.text.replace(nowhere, ''));
      }
    }
    expect(await read(invited.id)).toEqual(invited);
  });

  it('is matched by their current address, not by a former one', async () => {
    const email = `${unique('handed-on')}@example.com`;
    const [former, holder] = [unique('former'), unique('holder')];
    const people: Api[] = [];
    for (const subject of [former, holder]) {
      const api = new Api(test.url, test.document, await test.token(subject, { email }));
      await idOf(api);
      people.push(api);
    }
    const invited = await invite(cast.owner, { email, role: 'MEMBER' });
    const [before, now] = people as [Api, Api];
    expect(await myInvitations(before)).toEqual([]);
    await before.post(`/v1/users/me/invitations/${invited.id}/accept`, undefined, 404);
    await answer(now, invited.id, 'accept');
  });

  it('cannot accept an expired or revoked invitation', async () => {
    const { api, email } = await someone();
    const first = await invite(cast.owner, { email, role: 'MEMBER' });
    await expire(first.id);
    expect(await myInvitations(api)).toEqual([]);
    expect(await read(first.id)).toMatchObject({ status: 'EXPIRED' });
    expect((await api.post(`/v1/users/me/invitations/${first.id}/accept`, undefined, 409)).body).toEqual({
      code: 'invitation_conflict',
      detail: 'This invitation has expired.',
    });
    const second = await invite(cast.owner, { email, role: 'MEMBER' });
    await cast.owner.delete(`${invitations}/${second.id}`);
    expect(await read(second.id)).toMatchObject({ status: 'REVOKED' });
    expect(await myInvitations(api)).toEqual([]);
    expect(codeOf(await api.post(`/v1/users/me/invitations/${second.id}/accept`, undefined, 409))).toBe(
      'invitation_conflict',
    );
    await api.get(`/v1/organisations/${cast.orgId}`, 404);
  });

  it('becomes a member only once by two invitations', async () => {
    const other = await createCast(test);
    const { api, id, email } = await someone();
    await join(other.owner, other.orgId, api);
    await join(other.owner, other.orgId, cast.owner);
    const byAddress = await invite(cast.owner, { email, role: 'MEMBER' });
    const byId = await invite(cast.owner, { user_id: id, role: 'ADMIN' });
    const answers = await Promise.all(
      [byAddress, byId].map((one) => api.call('post', `/v1/users/me/invitations/${one.id}/accept`, undefined)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409) as Response)).toBe('member_conflict');
  });

  it('cannot join while the organisation’s directory has them deactivated', async () => {
    const { api, id, email } = await someone();
    await createScimUser(test.dataSource, cast.orgId, { userId: id, active: false });
    const invited = await invite(cast.owner, { email, role: 'MEMBER' });
    const refused = await api.post(`/v1/users/me/invitations/${invited.id}/accept`, undefined, 409);
    expect(codeOf(refused)).toBe('member_conflict');
    expect(await read(invited.id)).toMatchObject({ status: 'PENDING' });
  });

  it('cannot accept a directory membership if the directory has deactivated them since', async () => {
    const { api, id } = await someone();
    const entry = await createScimUser(test.dataSource, cast.orgId, { userId: id });
    await test.dataSource.query(`UPDATE scim_users SET consent = 'PENDING', active = false WHERE id = $1`, [entry.id]);
    const refused = await api.post(`/v1/users/me/invitations/${entry.id}/accept`, undefined, 409);
    expect(codeOf(refused)).toBe('member_conflict');
    const [stored] = await test.dataSource.query<{ consent: string }[]>(
      `SELECT consent FROM scim_users WHERE id = $1`,
      [entry.id],
    );
    expect(stored?.consent).toBe('PENDING');
    await api.get(`/v1/organisations/${cast.orgId}`, 404);
  });

  it('does not become a member by an invitation that is deleted at that moment', async () => {
    const { api, id, email } = await someone();
    const invited = await invite(cast.owner, { email, role: 'MEMBER' });
    const removal = `DELETE FROM invitations WHERE id = '${invited.id}'`;
    const accepted = await holding(test.dataSource, removal, async (release) => {
      const accepting = api.call('post', `/v1/users/me/invitations/${invited.id}/accept`, undefined);
      await untilBlocked(test.dataSource, 1);
      await release();
      return accepting;
    });
    expect({ status: accepted.status, code: codeOf(accepted) }).toEqual({ status: 404, code: 'invitation_not_found' });
    await cast.owner.get(`${members}/${id}`, 404);
  });

  it('can page through many invitations, each once, newest first', async () => {
    const { api, email } = await someone();
    const expected: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { owner, orgId } = await createCast(test);
      expected.push((await owner.post(`/v1/organisations/${orgId}/members`, { email, role: 'MEMBER' })).body.id);
    }
    const listed = await allPages(api, '/v1/users/me/invitations?limit=2');
    expect(listed.map(({ id }) => id)).toEqual(expected.reverse());
  });
});

describe('A person with an open invitation', () => {
  it('sees nothing of the organisation in their lists until they accept', async () => {
    const { api, email } = await someone();
    await cast.owner.post('/v1/webhooks', {
      org_id: cast.orgId,
      target_url: 'https://hooks.example.com/in',
      event_types: ['bundle.created'],
    });
    await cast.owner.post('/v1/bundles', { name: unique('Bundle'), org_id: cast.orgId });
    const invited = await invite(cast.owner, { email, role: 'ADMIN' });
    const sizes = async () =>
      Promise.all(
        (['organisations', 'webhooks', 'bundles'] as const).map(
          async (list) => (await api.get(`/v1/${list}`)).body.length,
        ),
      );
    expect(await sizes()).toEqual([0, 0, 0]);
    await answer(api, invited.id, 'accept');
    expect(await sizes()).toEqual([1, 1, 1]);
  });
});
