import type { EventType } from '../event-catalogue';
import { constant, type EventShape, id, known, orNull, OWN_ORG_ID, role, shape, text } from '../event-shape';
import { SAMPLE } from './sample-ids';

const member = { org_id: OWN_ORG_ID, user_id: id('The person.') };

/** By hand, or one of the reasons of role resolution (contract, section 7). */
const reason = known(
  [
    'manual',
    'created_organisation',
    'accepted_invitation',
    'released_last_owner',
    'account_deleted',
    'mapping',
    'default_role',
    'no_default_role',
    'deactivated',
    'deleted',
    'pending',
    'opted_out',
    'not_in_directory',
    'last_owner',
  ],
  'Why.',
);

const sample = { org_id: SAMPLE.organisation, user_id: SAMPLE.person };

export const ORGANISATION_EVENTS = {
  'organisation.updated': shape(
    { org_id: OWN_ORG_ID, name: text('Its name now.'), slug: text('Its slug now, unique.') },
    { org_id: SAMPLE.organisation, name: 'Acme', slug: 'acme' },
  ),

  'member.added': shape(
    {
      ...member,
      role: role('The role in force.'),
      role_before: constant(null, 'Null: there was none.'),
      reason,
    },
    { ...sample, role: 'MEMBER', role_before: null, reason: 'default_role' },
  ),

  'member.role_changed': shape(
    {
      ...member,
      role: role('The role in force now.'),
      role_before: role('The role in force before; the same for an OWNER who is kept as the last one.'),
      reason,
    },
    { ...sample, role: 'ADMIN', role_before: 'MEMBER', reason: 'mapping' },
  ),

  'member.removed': shape(
    {
      ...member,
      role: constant(null, 'Null: there is none any more.'),
      role_before: role('The role that was in force.'),
      reason,
    },
    { ...sample, role: null, role_before: 'ADMIN', reason: 'deactivated' },
  ),

  'organisation.deleted': shape(
    {
      org_id: OWN_ORG_ID,
      name: text('Its name.'),
      slug: text('Its slug, which another organisation may have from now on.'),
      deleted_by: id('The person who deleted it.'),
    },
    { org_id: SAMPLE.organisation, name: 'Acme', slug: 'acme', deleted_by: SAMPLE.person },
  ),

  'member.invited': shape(
    {
      org_id: OWN_ORG_ID,
      invitation_id: id('The invitation.'),
      email: orNull(text('The address as it was given; null: a user id was given.')),
      user_id: orNull(id('The user id as it was given; null: an address was given.')),
      role: role('The role that the person gets by accepting.'),
    },
    {
      org_id: SAMPLE.organisation,
      invitation_id: SAMPLE.invitation,
      email: 'bob@example.com',
      user_id: null,
      role: 'MEMBER',
    },
  ),
} satisfies Partial<Record<EventType, EventShape>>;
