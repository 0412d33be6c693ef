import type { Role } from '../../src/organisations/members/role';
import type { Api } from '../support/api';
import type { DefaultRole, ScimSettingsPut } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, idOf, unique, vouch } from '../support/factories';
import { type Told, watchEvents } from '../support/organisations';
import { type ScimAnswer, ScimConnection, type ScimRequest } from '../support/scim-connection';
import { type Dialect, DIALECTS, type Group, type GroupDialect, type Person } from '../support/scim-dialects';

/** The dialects of providers that know groups. */
const WITH_GROUPS = DIALECTS.flatMap(([name, dialect]): [string, Dialect, GroupDialect][] =>
  dialect.groups ? [[name, dialect, dialect.groups]] : [],
);

/** Those that delete people instead of only deactivating them. */
const WITH_DELETION = DIALECTS.flatMap(([name, dialect]): [string, Dialect, NonNullable<Dialect['remove']>][] =>
  dialect.remove ? [[name, dialect, dialect.remove]] : [],
);

/** From the first call to the last, as each identity provider sends it: the roles, the events and the log. */
describe('Provisioning the way it is done by', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  describe.each(DIALECTS)('%s', (_name, dialect) => {
    it('works for a person with the default role, from creation to removal', async () => {
      const story = await Story.begin(test, 'MEMBER');
      const { person } = story;
      await story.expectConnected(dialect);
      expect(await story.found(dialect.lookUp(person))).toEqual([]);

      const { body } = await story.step(dialect.create(person), 201, 'MEMBER', [
        'scim.user_provisioned',
        'member.added: none → MEMBER, default_role',
      ]);
      person.id = String(body.id);
      expect(await story.found(dialect.lookUp(person))).toEqual([person.id]);

      person.familyName = 'King';
      await story.step(dialect.rename(person), 200, 'MEMBER', ['scim.user_updated: display_name, other']);
      expect(await story.read(`/Users/${person.id}`)).toMatchObject({ displayName: 'Ada King' });

      person.email = person.userName = `${unique('king')}@acme.example`;
      await story.step(dialect.changeEmail(person), 200, 'MEMBER', ['scim.user_updated: user_name, other']);
      expect(await story.read(`/Users/${person.id}`)).toMatchObject({ emails: [{ value: person.email }] });
      await story.expectAccountUntouched();

      person.active = false;
      await story.step(dialect.activate(person), 200, null, [
        'scim.user_deactivated',
        'member.removed: MEMBER → none, deactivated',
      ]);
      expect(await story.found(dialect.lookUp(person))).toEqual([person.id]);
      expect(await story.read(`/Users/${person.id}`)).toMatchObject({ active: false });

      person.active = true;
      await story.step(dialect.activate(person), 200, 'MEMBER', [
        'scim.user_updated: active',
        'member.added: none → MEMBER, default_role',
      ]);
      await story.step(dialect.activate(person), 200, 'MEMBER', []);
    });
  });

  describe.each(WITH_DELETION)('%s', (_name, dialect, remove) => {
    it('works for a person who is deleted and comes back', async () => {
      const story = await Story.begin(test, 'MEMBER');
      const { person } = story;
      const { body } = await story.step(dialect.create(person), 201, 'MEMBER', [
        'scim.user_provisioned',
        'member.added: none → MEMBER, default_role',
      ]);
      person.id = String(body.id);
      person.email = person.userName = `${unique('king')}@acme.example`;
      await story.step(dialect.changeEmail(person), 200, 'MEMBER', ['scim.user_updated: user_name, other']);
      await story.step(remove(person), 204, null, ['scim.user_deleted', 'member.removed: MEMBER → none, deleted']);
      expect(await story.found(dialect.lookUp(person))).toEqual([]);
      await story.connection.call(404, { method: 'GET', path: `/Users/${person.id}` });

      // A person who returns under the address that they sign in with is the same person, in a new entry.
      person.email = person.userName = story.address;
      const again = await story.step(dialect.create(person), 201, 'MEMBER', [
        'scim.user_provisioned',
        'member.added: none → MEMBER, default_role',
      ]);
      expect(again.body.id).not.toBe(person.id);
    });
  });

  describe.each(WITH_GROUPS)('%s', (_name, dialect, groups) => {
    it('works for a person who moves between groups', async () => {
      const story = await Story.begin(test, null);
      const { person } = story;
      await story.map('Engineers', 'MEMBER');
      await story.map('Administrators', 'ADMIN');
      person.id = String((await story.step(dialect.create(person), 201, null, ['scim.user_provisioned'])).body.id);

      const engineers = await story.push(groups, 'Engineers');
      const administrators = await story.push(groups, 'Administrators');

      engineers.members = [person.id];
      await story.step(groups.add(engineers, person.id), 'done', 'MEMBER', [
        'scim.group_changed: Engineers updated, members +1 -0',
        'member.added: none → MEMBER, mapping',
      ]);
      await story.expectGroups('Engineers');

      administrators.members = [person.id];
      await story.step(groups.add(administrators, person.id), 'done', 'ADMIN', [
        'scim.group_changed: Administrators updated, members +1 -0',
        'member.role_changed: MEMBER → ADMIN, mapping',
      ]);
      engineers.members = [];
      await story.step(groups.leave(engineers, person.id), 'done', 'ADMIN', [
        'scim.group_changed: Engineers updated, members +0 -1',
      ]);
      await story.expectGroups('Administrators');

      person.active = false;
      await story.step(dialect.activate(person), 200, null, [
        'scim.user_deactivated',
        'member.removed: ADMIN → none, deactivated',
      ]);
      person.active = true;
      await story.step(dialect.activate(person), 200, 'ADMIN', [
        'scim.user_updated: active',
        'member.added: none → ADMIN, mapping',
      ]);

      administrators.members = [];
      await story.step(groups.leave(administrators, person.id), 'done', null, [
        'scim.group_changed: Administrators updated, members +0 -1',
        'member.removed: ADMIN → none, no_default_role',
      ]);
      // The same again: providers retry if an answer got lost.
      await story.step(groups.leave(administrators, person.id), 'done', null, []);
      await story.expectGroups();
    });

    it('works for a group', async () => {
      const story = await Story.begin(test, null);
      const { person } = story;
      const mappingId = await story.map('engineers', 'ADMIN');
      person.id = String((await story.step(dialect.create(person), 201, null, ['scim.user_provisioned'])).body.id);
      expect(await story.found(groups.lookUp({ id: '', displayName: 'Engineers', members: [] }))).toEqual([]);

      const group = await story.push(groups, 'Engineers');
      expect(await story.found(groups.lookUp(group))).toEqual([group.id]);
      expect(await story.mapping(mappingId)).toMatchObject({ group_id: group.id, group_name: 'Engineers' });
      group.members = [person.id];
      await story.step(groups.add(group, person.id), 'done', 'ADMIN', [
        'scim.group_changed: Engineers updated, members +1 -0',
        'member.added: none → ADMIN, mapping',
      ]);
      await story.step(groups.add(group, person.id), 'done', 'ADMIN', []);

      group.displayName = 'Platform';
      await story.step(groups.rename(group), 'done', 'ADMIN', [
        'scim.group_changed: Platform updated, display_name +0 -0',
        'scim.role_mapping_changed: Platform bound',
      ]);
      expect(await story.found(groups.lookUp(group))).toEqual([group.id]);
      expect(await story.mapping(mappingId)).toMatchObject({ group_id: group.id, group_name: 'Platform' });
      await story.expectGroups('Platform');

      await story.step(groups.remove(group), 204, null, [
        'scim.group_deleted',
        'scim.role_mapping_changed: Platform waiting',
        'member.removed: ADMIN → none, no_default_role',
      ]);
      expect(await story.found(groups.lookUp(group))).toEqual([]);
      expect(await story.mapping(mappingId)).toMatchObject({ group_id: null, group_name: 'Platform' });

      const again = await story.push(groups, 'Platform');
      expect(again.id).not.toBe(group.id);
      again.members = [person.id];
      await story.step(groups.add(again, person.id), 'done', 'ADMIN', [
        'scim.group_changed: Platform updated, members +1 -0',
        'member.added: none → ADMIN, mapping',
      ]);
    });
  });
});

type Living<T> = { -readonly [K in keyof T]: T[K] };

/** An organisation, its identity provider, and a person who signs in. */
class Story {
  /** The e-mail address with which the person signs in. */
  readonly address: string;

  private constructor(
    private readonly cast: Cast,
    readonly connection: ScimConnection,
    private readonly ada: Api,
    private readonly adaId: string,
    private readonly dataSource: TestApp['dataSource'],
    private readonly events: () => Promise<Told[]>,
    readonly person: Person,
  ) {
    this.address = person.email;
  }

  static async begin(test: TestApp, defaultRole: DefaultRole | null): Promise<Story> {
    const cast = await createCast(test);
    const connection = await ScimConnection.open(test, cast.admin, cast.orgId);
    const settings: ScimSettingsPut = {
      default_role: defaultRole,
      allow_owner_mapping: false,
      last_owner_policy: 'retain',
    };
    await cast.admin.put(`/v1/organisations/${cast.orgId}/scim/settings`, settings, 200);
    await vouch(test.dataSource, cast.orgId);
    const subject = unique('ada');
    const ada = await test.as(subject);
    const userName = `${subject}@example.com`;
    const person = { id: '', userName, email: userName, givenName: 'Ada', familyName: 'Lovelace', active: true };
    const events = watchEvents(test.dataSource, cast.orgId);
    const story = new Story(cast, connection, ada, await idOf(ada), test.dataSource, events, person);
    await events();
    return story;
  }

  /** The provider tests the connection, and gets an empty list. */
  async expectConnected({ testConnection }: Dialect): Promise<void> {
    const { body } = await this.connection.call(200, testConnection);
    expect(body).toMatchObject({ totalResults: 0, Resources: [] });
  }

  /** @returns the ids of the resources that a lookup finds */
  async found(request: ScimRequest): Promise<string[]> {
    const { body } = await this.connection.call(200, request);
    return (body.Resources as { id: string }[]).map(({ id }) => id);
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return (await this.connection.call(200, { method: 'GET', path })).body;
  }

  /**
   * The identity provider sends a request.
   *
   * @param status `done`: 200 or 204
   * @param role of the person afterwards; null: no access
   * @param reported the events, in any order; those of members are in the audit log too, on behalf of the token
   */
  async step(
    request: ScimRequest,
    status: number | 'done',
    role: Role | null,
    reported: readonly string[],
  ): Promise<ScimAnswer> {
    const answer = await this.connection.send(request);
    const statuses = status === 'done' ? [200, 204] : [status];
    expect({ text: answer.text, isExpected: statuses.includes(answer.status) }).toEqual({
      text: answer.text,
      isExpected: true,
    });
    const lines = (await this.events()).map((event) => lineOf(event, this.adaId));
    expect(lines.sort()).toEqual([...reported].sort());
    expect(await this.audited(answer)).toEqual(reported.filter((line) => line.startsWith('member.')));
    await this.expectRole(role);
    return answer;
  }

  /** Creates a mapping for a group of that name, which does not exist yet. */
  async map(group_name: string, role: Role): Promise<string> {
    const path = `/v1/organisations/${this.cast.orgId}/scim/role-mappings` as const;
    const created = await this.cast.admin.post(path, { group_name, role });
    await this.events();
    return created.body.id;
  }

  async mapping(id: string): Promise<unknown> {
    return (await this.cast.admin.get(`/v1/organisations/${this.cast.orgId}/scim/role-mappings/${id}`)).body;
  }

  /** Pushes an empty group. */
  async push(groups: GroupDialect, displayName: string): Promise<Living<Group>> {
    const group: Living<Group> = { id: '', displayName, members: [] };
    const { body } = await this.connection.call(201, groups.create(group));
    group.id = String(body.id);
    const lines = (await this.events()).map((event) => lineOf(event, this.adaId));
    const created = new RegExp(`^scim\\.group_changed: ${displayName} created, display_name(, external_id)? \\+0 -0$`);
    expect(lines.sort()).toEqual([
      expect.stringMatching(created) as unknown,
      `scim.role_mapping_changed: ${displayName} bound`,
    ]);
    return group;
  }

  /** Checks the groups in the person's resource. */
  async expectGroups(...names: string[]): Promise<void> {
    const { groups = [] } = await this.read(`/Users/${this.person.id}`);
    expect((groups as { display: string }[]).map(({ display }) => display)).toEqual(names);
  }

  /** Addresses and names in the directory do not change the account. */
  async expectAccountUntouched(): Promise<void> {
    const me = await this.ada.get('/v1/users/me');
    expect(me.body).toMatchObject({ id: this.adaId, email: this.address });
  }

  private async expectRole(role: Role | null): Promise<void> {
    const organisation = `/v1/organisations/${this.cast.orgId}` as const;
    const members = (await this.cast.admin.get(`${organisation}/members?limit=100`)).body;
    expect(members.find(({ user_id }) => user_id === this.adaId)?.role ?? null).toBe(role);
    const { body: own } = await this.ada.call('get', organisation);
    expect('role' in own ? own.role : null).toBe(role);
  }

  /** The audit log entries about people for a request of the identity provider. */
  private async audited({ headers }: ScimAnswer): Promise<string[]> {
    const rows = await this.dataSource.query<Audited[]>(
      `SELECT action, actor_type, actor_id, subject_id, before, after, reason FROM audit_log
       WHERE org_id = $1 AND request_id = $2 AND subject_type = 'member' ORDER BY id`,
      [this.cast.orgId, headers['x-request-id']],
    );
    for (const row of rows) {
      const by = { actor_type: 'scim_token', actor_id: this.connection.tokenId, subject_id: this.adaId };
      expect(row).toMatchObject(by);
    }
    return rows.map(({ action, before, after, reason }) => memberLine(action, before?.role, after?.role, reason));
  }
}

interface Audited {
  action: string;
  before: { role: Role | null } | null;
  after: { role: Role | null } | null;
  reason: string;
}

function memberLine(type: string, before: unknown, after: unknown, reason: unknown): string {
  const nameOf = (role: unknown) => (typeof role === 'string' ? role : 'none');
  return `${type}: ${nameOf(before)} → ${nameOf(after)}, ${String(reason)}`;
}

/** An event as one line; events about other people name them. */
function lineOf({ type, data }: Told, userId: string): string {
  const list = (value: unknown) => (value as string[]).join(', ');
  if (data.user_id !== undefined && data.user_id !== userId) return `${type} of somebody else`;
  if (type.startsWith('member.')) return memberLine(type, data.role_before, data.role, data.reason);
  if (type === 'scim.role_mapping_changed') {
    return `${type}: ${String(data.group_name)} ${data.group_id === null ? 'waiting' : 'bound'}`;
  }
  if (type === 'scim.user_updated') return `${type}: ${list(data.changed)}`;
  if (type !== 'scim.group_changed') return type;
  const { display_name, change, changed, members_added, members_removed } = data;
  return `${type}: ${String(display_name)} ${String(change)}, ${list(changed)} +${String(members_added)} -${String(members_removed)}`;
}
