import type { Role } from '../../src/organisations/members/role';
import type { Api } from './api';
import type { RoleMapping, RoleMappingCreate } from './api-types';
import type { TestApp } from './app';
import { type Cast, createScimGroup, createScimUser } from './factories';
import { syncOf, watchEvents } from './organisations';

/** An entry of the audit log about a mapping. */
export interface AuditedMapping {
  action: string;
  actor_id: string;
  before: object | null;
  after: object | null;
  request_id: string;
}

/** The mapping table of an organisation, and the people on whom it acts. */
export class MappingTable {
  /** The path of the list. */
  readonly path: `/v1/organisations/${string}/scim/role-mappings`;
  readonly events: ReturnType<typeof watchEvents>;

  constructor(
    private readonly test: TestApp,
    private readonly cast: Cast,
  ) {
    this.path = `/v1/organisations/${cast.orgId}/scim/role-mappings`;
    this.events = watchEvents(test.dataSource, cast.orgId);
  }

  async map(body: RoleMappingCreate, by: Api = this.cast.owner): Promise<RoleMapping> {
    return (await by.post(this.path, body)).body;
  }

  async read(id: string): Promise<RoleMapping> {
    return (await this.cast.owner.get(`${this.path}/${id}`)).body;
  }

  /** The role in force; null for somebody who is no member too. */
  async roleOf(userId = ''): Promise<Role | null> {
    const { body } = await this.cast.owner.call('get', `/v1/organisations/${this.cast.orgId}/members/${userId}`);
    return 'role' in body ? body.role : null;
  }

  /** A group with people in it, who have the roles that they have before it is mapped. */
  async groupOf(size: number, name?: string): Promise<{ id: string; name: string; people: string[] }> {
    const { dataSource } = this.test;
    const users = await Promise.all(Array.from({ length: size }, () => createScimUser(dataSource, this.cast.orgId)));
    const entries = users.map((user) => user.id);
    const id = await createScimGroup(dataSource, this.cast.orgId, entries);
    const [rows] = await dataSource.query<[{ name: string }[], number]>(
      `UPDATE scim_groups SET display_name = coalesce($2, display_name) WHERE id = $1 RETURNING display_name AS name`,
      [id, name ?? null],
    );
    await syncOf(this.cast.owner, this.cast.orgId);
    await this.events();
    return { id, name: rows[0]?.name ?? '', people: users.map(({ userId }) => userId) };
  }

  /** @param assignment as SQL has it */
  async settings(assignment: string): Promise<void> {
    await this.test.dataSource.query(`UPDATE scim_settings SET ${assignment} WHERE org_id = $1`, [this.cast.orgId]);
  }

  audited(mappingId: string): Promise<AuditedMapping[]> {
    return this.test.dataSource.query<AuditedMapping[]>(
      `SELECT action, actor_id, before, after, request_id FROM audit_log
       WHERE org_id = $1 AND subject_type = 'role_mapping' AND subject_id = $2 ORDER BY id`,
      [this.cast.orgId, mappingId],
    );
  }

  /** The event that tells of a change of a mapping. */
  event(mapping: RoleMapping, change: string, role: Role | null, role_before: Role | null): object {
    const { id, group_id, group_name } = mapping;
    return {
      type: 'scim.role_mapping_changed',
      data: { org_id: this.cast.orgId, mapping_id: id, change, group_id, group_name, role, role_before },
    };
  }

  /** The event that tells of another role of a member. */
  toldOfMember(userId: string | undefined, role_before: Role, role: Role, reason: string): object {
    return {
      type: 'member.role_changed',
      data: { org_id: this.cast.orgId, user_id: userId, role, role_before, reason },
    };
  }
}
