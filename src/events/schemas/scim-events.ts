import type { EventType } from '../event-catalogue';
import {
  changed,
  constant,
  count,
  type EventShape,
  flag,
  id,
  oneOf,
  orNull,
  OWN_ORG_ID,
  role,
  shape,
  text,
} from '../event-shape';
import { SAMPLE } from './sample-ids';

const user = {
  org_id: OWN_ORG_ID,
  scim_user_id: id('The user in the directory of the organisation: the `id` of the SCIM resource.'),
  user_id: orNull(
    id('The account that belongs to it; null: the person has an account of their own and has not agreed.'),
  ),
  user_name: text('The `userName` of the SCIM resource.'),
  display_name: orNull(text('The `displayName`; null: none was given.')),
};

const sampleUser = {
  org_id: SAMPLE.organisation,
  scim_user_id: SAMPLE.scimUser,
  user_id: SAMPLE.person,
  user_name: 'ada@acme.example',
  display_name: 'Ada Lovelace',
};

const group = {
  org_id: OWN_ORG_ID,
  group_id: id('The group: the `id` of the SCIM resource.'),
  display_name: text('Its `displayName`.'),
};

const sampleGroup = { org_id: SAMPLE.organisation, group_id: SAMPLE.scimGroup, display_name: 'Platform engineers' };

export const SCIM_EVENTS = {
  'scim.user_provisioned': shape(
    { ...user, active: flag('Whether the directory has the user active.') },
    { ...sampleUser, active: true },
  ),

  'scim.user_updated': shape(
    {
      ...user,
      active: flag('Whether the directory has the user active; it became true if `changed` names it.'),
      changed: changed('user_name', 'display_name', 'external_id', 'active', 'other'),
    },
    { ...sampleUser, active: true, changed: ['display_name'] },
  ),

  'scim.user_deactivated': shape(
    { ...user, active: constant(false, 'False: the person has no access to the organisation any more.') },
    { ...sampleUser, active: false },
  ),

  'scim.user_deleted': shape(user, sampleUser),

  'scim.group_changed': shape(
    {
      ...group,
      change: oneOf(['created', 'updated'], 'Whether it is new.'),
      changed: changed('display_name', 'external_id', 'members', 'other'),
      members_added: count('How many members it has that it had not before.'),
      members_removed: count('How many members it had that it has no more.'),
    },
    { ...sampleGroup, change: 'updated', changed: ['members'], members_added: 2, members_removed: 0 },
  ),

  'scim.group_deleted': shape(group, sampleGroup),

  'scim.role_mapping_changed': shape(
    {
      org_id: OWN_ORG_ID,
      mapping_id: id('The mapping.'),
      change: oneOf(['created', 'updated', 'deleted'], 'What was done to it.'),
      group_id: orNull(id('The group that it maps; null: it waits for a group of this name.')),
      group_name: text('The name of the group.'),
      role: orNull(role('The role that it gives; null: it was deleted.')),
      role_before: orNull(role('The role that it gave before; null: it is new.')),
    },
    {
      org_id: SAMPLE.organisation,
      mapping_id: SAMPLE.roleMapping,
      change: 'updated',
      group_id: SAMPLE.scimGroup,
      group_name: 'Platform engineers',
      role: 'ADMIN',
      role_before: 'MEMBER',
    },
  ),

  'scim.sync_completed': shape(
    {
      org_id: OWN_ORG_ID,
      run_id: id('The run; its changes are at `/v1/organisations/{org_id}/scim/sync-runs/{run_id}`.'),
      scanned: count('How many people were looked at.'),
      joined: count('How many became members.'),
      promoted: count('How many got a higher role.'),
      demoted: count('How many got a lower role.'),
      removed: count('How many lost access.'),
      retained: count('How many are kept as the last OWNER, who were not so before.'),
      unchanged: count('How many were right already.'),
    },
    {
      org_id: SAMPLE.organisation,
      run_id: SAMPLE.syncRun,
      scanned: 120,
      joined: 3,
      promoted: 1,
      demoted: 0,
      removed: 2,
      retained: 0,
      unchanged: 114,
    },
  ),
} satisfies Partial<Record<EventType, EventShape>>;
