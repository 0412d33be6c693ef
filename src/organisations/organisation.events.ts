import { constant, type Field, id, known, oneOf, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { type Role, ROLES } from './members/role';

/** In the data of every event about something that an organisation or a user can own. */
export const ORG_ID = orNull(id('The owning organisation; null if it belongs to a user or to the platform.'));

/** In the data of every event about an organisation itself. */
export const OWN_ORG_ID = id('The organisation.');

/** A role in an organisation (contract, section 4). */
export function role(description: string): Field<Role> {
  return oneOf(ROLES, description);
}

/** The ids in the examples; the same object has the same id in all of them. */
export const SAMPLE = {
  organisation: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
  person: '019a9f60-02d4-7c0a-8f27-5b1f7e6c9d31',
  administrator: '019a9f5e-7b90-7a55-b3c8-c2a4d9e81f06',
  invitation: '019a9f60-5e1b-7d93-a6c4-3b0f82d7e915',
} as const;

const member = { org_id: OWN_ORG_ID, user_id: id('The user.') };

/** A manual change, or one of the reasons of role resolution (contract, section 7). */
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
  'Why the role changed.',
);

const sample = { org_id: SAMPLE.organisation, user_id: SAMPLE.person };

export const ORGANISATION_EVENTS = defineEvents('Organisations', {
  'organisation.updated': event(
    'Organisation updated',
    'An organisation was renamed.',
    shape(
      { org_id: OWN_ORG_ID, name: text('Its current name.'), slug: text('Its current slug, unique.') },
      { org_id: SAMPLE.organisation, name: 'Acme', slug: 'acme' },
    ),
  ),

  'member.added': event(
    'Member added',
    'A user became a member of an organisation.',
    shape(
      {
        ...member,
        role: role('The effective role.'),
        role_before: constant(null, 'Always null: there was no role before.'),
        reason,
      },
      { ...sample, role: 'MEMBER', role_before: null, reason: 'default_role' },
    ),
  ),

  'member.role_changed': event(
    'Member role changed',
    'The effective role of a member changed.',
    shape(
      {
        ...member,
        role: role('The effective role.'),
        role_before: role('The previous effective role; the same as `role` for a retained last OWNER.'),
        reason,
      },
      { ...sample, role: 'ADMIN', role_before: 'MEMBER', reason: 'mapping' },
    ),
  ),

  'member.removed': event(
    'Member removed',
    'A user lost access to an organisation.',
    shape(
      {
        ...member,
        role: constant(null, 'Always null: there is no role any more.'),
        role_before: role('The previous effective role.'),
        reason,
      },
      { ...sample, role: null, role_before: 'ADMIN', reason: 'deactivated' },
    ),
  ),

  'organisation.deleted': event(
    'Organisation deleted',
    'An organisation was deleted. This is the last event that its endpoints receive.',
    shape(
      {
        org_id: OWN_ORG_ID,
        name: text('Its name.'),
        slug: text('Its slug, which other organisations can use from now on.'),
        deleted_by: id('The user who deleted it.'),
      },
      { org_id: SAMPLE.organisation, name: 'Acme', slug: 'acme', deleted_by: SAMPLE.person },
    ),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof ORGANISATION_EVENTS> {}
}
