import { changed, constant, count, flag, id, oneOf, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { OWN_ORG_ID, role, SAMPLE } from '../organisations/organisation.events';

const SAMPLE_USER = '019a9f65-0e86-7fb2-94a7-d85c3e1b60f9';
const SAMPLE_GROUP = '019a9f65-3fd1-7a0c-8e52-4c97b6a2d1e3';
const SAMPLE_MAPPING = '019a9f65-72ad-7248-b6f0-a31d8e5c907b';
const SAMPLE_RUN = '019a9f65-a94c-7ec7-9d83-5f20c6b4e81a';

const user = {
  org_id: OWN_ORG_ID,
  scim_user_id: id('The user in the directory of the organisation: the `id` of the SCIM resource.'),
  user_id: orNull(
    id('The account linked to it; null: the person has an account of their own and has not agreed to the membership.'),
  ),
  user_name: text('The `userName` of the SCIM resource.'),
  display_name: orNull(text('The `displayName`; null: none.')),
};

const sampleUser = {
  org_id: SAMPLE.organisation,
  scim_user_id: SAMPLE_USER,
  user_id: SAMPLE.person,
  user_name: 'ada@acme.example',
  display_name: 'Ada Lovelace',
};

const group = {
  org_id: OWN_ORG_ID,
  group_id: id('The group: the `id` of the SCIM resource.'),
  display_name: text('Its `displayName`.'),
};

const sampleGroup = { org_id: SAMPLE.organisation, group_id: SAMPLE_GROUP, display_name: 'Platform engineers' };

export const SCIM_EVENTS = defineEvents('SCIM', {
  'scim.user_provisioned': event(
    'Directory user provisioned',
    'The identity provider created a user.',
    shape({ ...user, active: flag('Whether the user is active in the directory.') }, { ...sampleUser, active: true }),
  ),

  'scim.user_updated': event(
    'Directory user updated',
    'The identity provider changed a user.',
    shape(
      {
        ...user,
        active: flag('Whether the user is active in the directory; it became true if `changed` names it.'),
        changed: changed('user_name', 'display_name', 'external_id', 'active', 'other'),
      },
      { ...sampleUser, active: true, changed: ['display_name'] },
    ),
  ),

  'scim.user_deactivated': event(
    'Directory user deactivated',
    'The identity provider deactivated a user.',
    shape(
      { ...user, active: constant(false, 'False: the person no longer has access to the organisation.') },
      { ...sampleUser, active: false },
    ),
  ),

  'scim.user_deleted': event(
    'Directory user deleted',
    'The identity provider deleted a user.',
    shape(user, sampleUser),
  ),

  'scim.group_changed': event(
    'Directory group changed',
    'The identity provider created a group, or changed its name or members.',
    shape(
      {
        ...group,
        change: oneOf(['created', 'updated'], 'Whether the group is new.'),
        changed: changed('display_name', 'external_id', 'members', 'other'),
        members_added: count('The number of new members.'),
        members_removed: count('The number of removed members.'),
      },
      { ...sampleGroup, change: 'updated', changed: ['members'], members_added: 2, members_removed: 0 },
    ),
  ),

  'scim.group_deleted': event(
    'Directory group deleted',
    'The identity provider deleted a group.',
    shape(group, sampleGroup),
  ),

  'scim.role_mapping_changed': event(
    'Role mapping changed',
    'A mapping of a group to a role was created, changed or deleted.',
    shape(
      {
        org_id: OWN_ORG_ID,
        mapping_id: id('The mapping.'),
        change: oneOf(['created', 'updated', 'deleted'], 'The kind of change.'),
        group_id: orNull(id('The mapped group; null: the mapping is waiting for a group of this name.')),
        group_name: text('The name of the group.'),
        role: orNull(role('The role that the mapping gives; null: it was deleted.')),
        role_before: orNull(role('The role that the mapping gave before; null: it is new.')),
      },
      {
        org_id: SAMPLE.organisation,
        mapping_id: SAMPLE_MAPPING,
        change: 'updated',
        group_id: SAMPLE_GROUP,
        group_name: 'Platform engineers',
        role: 'ADMIN',
        role_before: 'MEMBER',
      },
    ),
  ),

  'scim.sync_completed': event(
    'Sync completed',
    'The roles of all directory users were recomputed.',
    shape(
      {
        org_id: OWN_ORG_ID,
        run_id: id('The run; its changes are at `/v1/organisations/{org_id}/scim/sync-runs/{run_id}`.'),
        scanned: count('The number of people processed.'),
        joined: count('How many became members.'),
        promoted: count('How many got a higher role.'),
        demoted: count('How many got a lower role.'),
        removed: count('How many lost access.'),
        retained: count('How many are newly retained as the last OWNER.'),
        unchanged: count('How many were up to date.'),
      },
      {
        org_id: SAMPLE.organisation,
        run_id: SAMPLE_RUN,
        scanned: 120,
        joined: 3,
        promoted: 1,
        demoted: 0,
        removed: 2,
        retained: 0,
        unchanged: 114,
      },
    ),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof SCIM_EVENTS> {}
}
