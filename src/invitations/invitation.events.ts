import { id, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { OWN_ORG_ID, role, SAMPLE } from '../organisations/organisation.events';

export const INVITATION_EVENTS = defineEvents('Organisations', {
  'member.invited': event(
    'Member invited',
    'A user was invited to an organisation.',
    shape(
      {
        org_id: OWN_ORG_ID,
        invitation_id: id('The invitation.'),
        email: orNull(text('The address as entered; null if a user id was given.')),
        user_id: orNull(id('The user id as entered; null if an address was given.')),
        role: role('The role that the user gets by accepting.'),
      },
      {
        org_id: SAMPLE.organisation,
        invitation_id: SAMPLE.invitation,
        email: 'bob@example.com',
        user_id: null,
        role: 'MEMBER',
      },
    ),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof INVITATION_EVENTS> {}
}
