import type { DefaultRole, RoleMapping, Role, ScimSettings, SyncProposal } from '../../../api/schema';

/** What a person has chosen for a new mapping. */
export interface NewMapping {
  by: 'known' | 'named';
  group: { id: string; name: string } | null;
  name: string;
  role: Role;
}

export const EMPTY_MAPPING: NewMapping = { by: 'known', group: null, name: '', role: 'MEMBER' };

/** @returns what the API is asked to create; undefined as long as no group was chosen */
export function creationOf({
  by,
  group,
  name,
  role,
}: NewMapping): { group_id: string; role: Role } | { group_name: string; role: Role } | undefined {
  if (by === 'known') return group === null ? undefined : { group_id: group.id, role };
  const trimmed = name.trim();
  return trimmed === '' ? undefined : { group_name: trimmed, role };
}

export const toCreate = (mapping: NewMapping): SyncProposal | undefined => {
  const creation = creationOf(mapping);
  return creation && { role_mappings: { create: [creation] } };
};

export const toUpdate = ({ id, role }: Pick<RoleMapping, 'id' | 'role'>, next: Role): SyncProposal | undefined =>
  role === next ? undefined : { role_mappings: { update: [{ id, role: next }] } };

export const toDelete = ({ id }: RoleMapping): SyncProposal => ({ role_mappings: { delete: [id] } });

/** The settings as a form has them. */
export type RoleSettings = Pick<ScimSettings, 'allow_owner_mapping' | 'last_owner_policy'> & {
  default_role: DefaultRole | null;
};

/** @returns the part of the settings that a form changes; the default role is never OWNER */
export const settingsOf = ({ default_role, allow_owner_mapping, last_owner_policy }: ScimSettings): RoleSettings => ({
  default_role: default_role === 'OWNER' ? null : default_role,
  allow_owner_mapping,
  last_owner_policy,
});

/** @returns what was changed of the settings; undefined if nothing was */
export function toSettings(saved: RoleSettings, chosen: RoleSettings): SyncProposal | undefined {
  const settings = {
    ...(chosen.default_role !== saved.default_role && { default_role: chosen.default_role }),
    ...(chosen.allow_owner_mapping !== saved.allow_owner_mapping && {
      allow_owner_mapping: chosen.allow_owner_mapping,
    }),
    ...(chosen.last_owner_policy !== saved.last_owner_policy && { last_owner_policy: chosen.last_owner_policy }),
  };
  return Object.keys(settings).length === 0 ? undefined : { settings };
}
