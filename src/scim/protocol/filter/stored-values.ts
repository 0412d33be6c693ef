import type { ResourceType } from '../schema/attribute';
import type { ResolvedPath } from '../schema/attribute-path';
import { ENTERPRISE_URN, USER_URN } from '../urns';
import type { StoredAttribute, StoredValue } from './stored-attribute';
import { STORED_MANAGER } from './stored-manager';

/**
 * @param path as resolvePath returned it for this type
 * @returns where the attribute, not its sub-attribute, is stored, over the alias `scim_users` or `scim_groups`
 */
export function storedAttribute(type: ResourceType, { attribute, extension }: ResolvedPath): StoredAttribute {
  const { name } = attribute;
  const table = type.name === 'User' ? 'scim_users' : 'scim_groups';
  if (name === 'meta') return { kind: 'complex', present: 'TRUE', sub: (sub) => storedMeta(type, table, sub) };
  if (name === 'schemas') return storedSchemas(type);
  if (name === 'members') return STORED_MEMBERS;
  if (name === 'groups') return STORED_GROUPS;
  if (name === 'manager') return STORED_MANAGER;
  const column = extension ? undefined : COLUMNS.get(name);
  if (column) return { kind: 'simple', value: { ...column, sql: `${table}.${column.sql}` } };

  const attributes = extension ? `scim_users.attributes -> '${extension.id}'` : 'scim_users.attributes';
  const json = `${attributes} -> '${name}'`;
  if (attribute.multiValued) {
    return {
      kind: 'many',
      from: `jsonb_array_elements(${json}) WITH ORDINALITY AS elements (element, place)`,
      where: 'TRUE',
      sub: (sub) =>
        name === 'emails' && sub === 'value'
          ? { ...inJson('element', sub), foldEqual: 'address_key' }
          : inJson('element', sub),
      order: `element @> '{"primary": true}' DESC, place`,
    };
  }
  if (attribute.subAttributes) {
    return { kind: 'complex', present: `(${json}) IS NOT NULL`, sub: (sub) => inJson(json, sub) };
  }
  return { kind: 'simple', value: inJson(attributes, name) };
}

/**
 * Whether a non-deleted user has a specific address, however it is spelled. Evaluated once for the whole statement by
 * the index, however few rows are wanted: the planner cannot estimate arrays, and would rather scan all users in the
 * order of a list than use the index and sort. It also matches users of other organisations, which are excluded by the
 * condition on the organisation that every statement has.
 *
 * @param email a string
 */
export function hasEmail(email: string): string {
  return `scim_users.id = ANY (ARRAY(
    SELECT by_email.id FROM scim_users AS by_email
    WHERE scim_email_keys(by_email.attributes) @> ARRAY[address_key(${email})] AND by_email.deleted_at IS NULL))`;
}

const COLUMNS = new Map<string, StoredValue>([
  ['id', { sql: 'id', type: 'uuid' }],
  ['externalId', { sql: 'external_id', type: 'text' }],
  ['userName', { sql: 'user_name', type: 'text', fold: 'username_key' }],
  ['displayName', { sql: 'display_name', type: 'text' }],
  ['active', { sql: 'active', type: 'boolean' }],
]);

const COMPUTED: StoredValue = { sql: 'NULL', type: 'computed' };

/** The members of a group. */
const STORED_MEMBERS: StoredAttribute = {
  kind: 'many',
  from: 'scim_group_members JOIN scim_users ON scim_users.id = scim_group_members.scim_user_id',
  where: `scim_group_members.group_id = scim_groups.id AND scim_users.org_id = scim_groups.org_id
    AND scim_users.deleted_at IS NULL`,
  sub: storedMember,
};

/** @returns where a sub-attribute of `members` is stored, over the aliases `scim_group_members` and `scim_users` */
export function storedMember(sub: string): StoredValue {
  if (sub === 'value') return { sql: 'scim_group_members.scim_user_id', type: 'uuid' };
  if (sub === 'display')
    return { sql: 'coalesce(scim_users.display_name, scim_users.user_name COLLATE "default")', type: 'text' };
  return sub === 'type' ? { sql: `'User'::text`, type: 'text' } : COMPUTED;
}

/** The groups of a user. */
const STORED_GROUPS: StoredAttribute = {
  kind: 'many',
  from: 'scim_group_members JOIN scim_groups ON scim_groups.id = scim_group_members.group_id',
  where: 'scim_group_members.scim_user_id = scim_users.id AND scim_groups.org_id = scim_users.org_id',
  sub: (sub) => {
    if (sub === 'value') return { sql: 'scim_group_members.group_id', type: 'uuid' };
    if (sub === 'display') return { sql: 'scim_groups.display_name', type: 'text' };
    return sub === 'type' ? { sql: `'direct'::text`, type: 'text' } : COMPUTED;
  },
};

function storedMeta(type: ResourceType, table: string, sub: string): StoredValue {
  if (sub === 'resourceType') return { sql: `'${type.name}'::text`, type: 'text' };
  if (sub === 'created') return { sql: `${table}.created_at`, type: 'timestamptz' };
  return sub === 'lastModified' ? { sql: `${table}.updated_at`, type: 'timestamptz' } : COMPUTED;
}

/** The URN of an extension is present if the resource has attributes of it. */
function storedSchemas(type: ResourceType): StoredAttribute {
  const extended = `CASE WHEN scim_users.attributes ? '${ENTERPRISE_URN}' THEN ARRAY['${USER_URN}', '${ENTERPRISE_URN}']
    ELSE ARRAY['${USER_URN}'] END`;
  const urns = type.extensions.length > 0 ? extended : `ARRAY['${type.schema.id}']`;
  return {
    kind: 'many',
    from: `unnest(${urns}) AS schema_urn`,
    where: 'TRUE',
    sub: () => ({ sql: 'schema_urn', type: 'text' }),
  };
}

function inJson(object: string, name: string): StoredValue {
  if (name === 'primary') return { sql: `(${object} -> 'primary')`, type: 'flag' };
  return { sql: `(${object} ->> '${name}')`, type: 'text' };
}
