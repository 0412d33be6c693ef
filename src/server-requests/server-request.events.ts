import { id, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { OWN_ORG_ID, SAMPLE } from '../organisations/organisation.events';

const request = {
  org_id: OWN_ORG_ID,
  request_id: id('The request.'),
  listing_id: orNull(id('The listing; null if it was asked for by a name, or is deleted.')),
  name: text('What was asked for: the title of the listing, or a name.'),
  requested_by: id('The member who asked.'),
};

const sample = {
  org_id: SAMPLE.organisation,
  request_id: '019a9f6a-1d32-7c88-b0a5-6e2f94c7d013',
  listing_id: '019a9f61-44b8-7e9d-a1d0-93f5c07b2e4c',
  name: 'Weather',
  requested_by: SAMPLE.person,
};

const decision = { ...request, decided_by: id('The administrator.') };

const decided = { ...sample, decided_by: SAMPLE.administrator };

export const SERVER_REQUEST_EVENTS = defineEvents('Server requests', {
  'server_request.created': event(
    'Server requested',
    'A member asked the administrators of an organisation for a server.',
    shape(request, sample),
  ),

  'server_request.approved': event(
    'Server request approved',
    'An administrator approved a request for a server.',
    shape(decision, decided),
  ),

  'server_request.declined': event(
    'Server request declined',
    'An administrator declined a request for a server.',
    shape(decision, decided),
  ),

  'server_request.withdrawn': event(
    'Server request withdrawn',
    'The member who asked for a server withdrew the request.',
    shape(request, sample),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof SERVER_REQUEST_EVENTS> {}
}
