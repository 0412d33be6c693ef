import { UUID_PATTERN } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { idOf, unique } from '../support/factories';
import { ScimConnection } from '../support/scim-connection';
import { ADA, ENGINEERS, GRACE, GROUP_URN, patch } from '../support/scim-shapes/shape';

/** Two organisations whose directories have the same people and groups. */
describe('Two organisations with the same people in their directories', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  it('are kept apart in 200 concurrent requests about the same names', async () => {
    const [one, other] = [await emptyTenant(test), await emptyTenant(test)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => [playAtOnce(one, turn), playAtOnce(other, turn)]).flat(),
    );
    expect(answers.flat().length).toBeGreaterThanOrEqual(200);
    expect(answers.flat().filter(({ status }) => status >= 400)).toEqual([]);
    const idsOf = { [one.orgId]: await idsIn(one.orgId), [other.orgId]: await idsIn(other.orgId) };
    for (const { orgId, text } of answers.flat()) {
      const foreign = orgId === one.orgId ? other.orgId : one.orgId;
      expect(foreignIn(text, [foreign, ...(idsOf[foreign] ?? [])])).toEqual([]);
      expect(text).toContain(orgId);
    }
    expect(await storyOf(one)).toEqual(await storyOf(other));
  });

  it('do not learn of each other: the answers are the same as for unknown people', async () => {
    // Known to another organisation, known to none, and an account that someone signs in with.
    const [sharing, alone, signedIn] = [await emptyTenant(test), await emptyTenant(test), await emptyTenant(test)];
    const elsewhere = await emptyTenant(test);
    const stem = unique('shared');
    const names = { shared: `${stem}-a`, alone: `${stem}-b`, signedIn: `${stem}-c` };
    await play(elsewhere, names.shared);
    await test.as(names.signedIn).then(idOf);
    const stories = [
      await play(sharing, names.shared),
      await play(alone, names.alone),
      await play(signedIn, names.signedIn),
    ].map((story, index) => story.map((line) => line.replaceAll(Object.values(names)[index] ?? '', 'somebody')));
    expect(stories[0]).toEqual(stories[1]);
    // Except for a person with their own account who has not accepted: a pending entry shows that they have one.
    expect(stories[2]?.map((line) => line.replace('"user_id":null', '"user_id":"<id>"'))).toEqual(stories[1]);
    expect(stories[0]?.length).toBeGreaterThan(10);
  });

  async function idsIn(orgId: string): Promise<string[]> {
    const rows = await test.dataSource.query<{ id: string }[]>(
      `SELECT id::text FROM scim_users WHERE org_id = $1 UNION SELECT id::text FROM scim_groups WHERE org_id = $1
       UNION SELECT id::text FROM scim_tokens WHERE org_id = $1`,
      [orgId],
    );
    return rows.map(({ id }) => id);
  }
});

const foreignIn = (text: string, ids: readonly string[]): string[] => ids.filter((id) => text.includes(id));

interface Place {
  owner: Api;
  orgId: string;
  connection: ScimConnection;
}

async function emptyTenant(test: TestApp): Promise<Place> {
  const owner = await test.as('owner-of-many');
  const created = await owner.post('/v1/organisations', { name: unique('Organisation') });
  const orgId = created.body.id;
  return { owner, orgId, connection: await ScimConnection.open(test, owner, orgId) };
}

interface StoryAnswer {
  orgId: string;
  status: number;
  text: string;
}

/** A person and a group from creation to deletion, each answer with its headers. */
async function playAtOnce({ connection, orgId }: Place, turn: number): Promise<StoryAnswer[]> {
  const answers: StoryAnswer[] = [];
  const say = async (request: Parameters<ScimConnection['send']>[0]) => {
    const { status, headers, text, body } = await connection.send(request);
    answers.push({ orgId, status, text: `${text} ${headers.location ?? ''} ${headers['content-location'] ?? ''}` });
    return String(body.id);
  };
  const userName = `same-${turn}@acme.example`;
  const person = { ...ADA, userName, externalId: `same-${turn}`, emails: [{ value: userName, type: 'work' }] };
  const id = await say({ method: 'POST', path: '/Users', body: person });
  await say({ method: 'GET', path: '/Users', query: { filter: `userName eq "${person.userName}"` } });
  const group = { ...ENGINEERS, externalId: `same-${turn}`, displayName: `Same ${turn}`, members: [{ value: id }] };
  const groupId = await say({ method: 'POST', path: '/Groups', body: group });
  await say({ method: 'PUT', path: `/Users/${id}`, body: { ...person, title: 'Analyst' } });
  await say({ method: 'GET', path: `/Groups/${groupId}` });
  await say({ method: 'GET', path: '/Users', query: { count: '5' } });
  return answers;
}

/** What an organisation has in the end, without what is specific to it. */
async function storyOf({ connection, orgId }: Place): Promise<unknown> {
  const lists = [];
  for (const path of ['/Users', '/Groups']) {
    const { body } = await connection.call(200, {
      method: 'GET',
      path,
      query: { count: '1000', sortBy: 'externalId' },
    });
    lists.push(neutral(JSON.stringify(body), orgId));
  }
  return lists;
}

const UUID = new RegExp(UUID_PATTERN, 'g');
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function neutral(text: string, orgId: string): string {
  return text
    .replaceAll(orgId, '<org>')
    .replace(UUID, '<id>')
    .replace(INSTANT, '<time>')
    .replace(/W\/\\?"[^"\\]+\\?"/g, '<tag>');
}

/** What an identity provider does to a person, and what it and the organisation get to see. */
async function play({ connection, owner, orgId }: Place, stem: string): Promise<string[]> {
  const story: string[] = [];
  const note = (status: number, headers: Record<string, string>, text: string) => {
    const names = Object.keys(headers).sort().join(',');
    story.push(neutral(`${status} ${names} ${text}`, orgId));
  };
  const say = async (request: Parameters<ScimConnection['send']>[0]) => {
    const { status, headers, text, body } = await connection.send(request);
    note(status, headers, text);
    return String(body.id);
  };
  const email = `${stem}@example.com`;
  const person = { ...ADA, userName: email, externalId: stem, emails: [{ value: email, type: 'work', primary: true }] };
  for (const filter of [`userName eq "${email}"`, `externalId eq "${stem}"`, `emails.value eq "${email}"`]) {
    await say({ method: 'GET', path: '/Users', query: { filter } });
  }
  const other = { ...GRACE, userName: 'other@example.com', externalId: 'other', emails: [{ value: `x${email}` }] };
  const otherId = await say({ method: 'POST', path: '/Users', body: other });
  await say({ method: 'PUT', path: `/Users/${otherId}`, body: { ...other, userName: email, externalId: stem } });
  await say({ method: 'PUT', path: `/Users/${otherId}`, body: other });
  const id = await say({ method: 'POST', path: '/Users', body: person });
  await say({ method: 'POST', path: '/Users', body: person });
  await say({ method: 'GET', path: `/Users/${id}` });
  await say({ method: 'PATCH', path: `/Users/${id}`, body: patch({ op: 'replace', path: 'displayName', value: 'A' }) });
  const groupId = await say({
    method: 'POST',
    path: '/Groups',
    body: { schemas: [GROUP_URN], displayName: stem, externalId: stem, members: [{ value: id }] },
  });
  await say({ method: 'GET', path: `/Groups/${groupId}` });
  await say({ method: 'PATCH', path: `/Users/${id}`, body: patch({ op: 'replace', path: 'active', value: false }) });
  for (const path of ['scim/directory/users', 'scim/directory/groups']) {
    const answer = await owner.get(`/v1/organisations/${orgId}/${path}`);
    note(answer.status, answer.headers, answer.text);
  }
  await say({ method: 'DELETE', path: `/Users/${id}` });
  await say({ method: 'GET', path: `/Users/${id}` });
  return story;
}
