import { count, id, known, listOf, shape, text } from '../../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../../events/event-types';
import { NO_ORG } from '../../account.events';
import { CLIENT_SOURCES } from '../oauth-client.entity';

const RECEIVERS = 'Sent to personal endpoints of platform administrators only.';

const client = {
  org_id: NO_ORG,
  client_id: id('The client.'),
  name: text('Its name. One that registered itself chose it, so it proves nothing.'),
  source: known(CLIENT_SOURCES, 'Who created it: an administrator, or itself by registration.'),
};
const sample = {
  org_id: null,
  client_id: '019a9f63-5b20-7d73-9e86-4f3da09cd265',
  name: 'Reports',
  source: 'ADMINISTRATOR' as const,
};

export const OAUTH_CLIENT_EVENTS = defineEvents('OAuth clients', {
  'oauth_client.created': event(
    'OAuth client created',
    `A program may ask people for access: an administrator created it, or it registered itself. ${RECEIVERS}`,
    shape(client, sample),
  ),

  'oauth_client.updated': event(
    'OAuth client updated',
    `An OAuth client was changed. ${RECEIVERS}`,
    shape(
      { ...client, changed: listOf(text('The name of a field.'), 'What is different now.') },
      { ...sample, changed: ['redirect_uris'] },
    ),
  ),

  'oauth_client.deleted': event(
    'OAuth client deleted',
    `An administrator deleted an OAuth client, with everything that people had allowed it. ${RECEIVERS}`,
    shape(client, sample),
  ),

  'oauth_client.secret_rotated': event(
    'OAuth client secret rotated',
    `An OAuth client got a new secret. ${RECEIVERS}`,
    shape(
      { ...client, grace_seconds: count('How long the former secret stays valid.') },
      { ...sample, grace_seconds: 86400 },
    ),
  ),
});

declare module '../../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof OAUTH_CLIENT_EVENTS> {}
}
