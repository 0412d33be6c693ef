import { changed, count, id, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { SAMPLE_LISTING } from '../listings/listing.events';

const review = {
  review_id: id('The review.'),
  listing_id: id('The listing.'),
  name: text('Its unique name, reverse-DNS as in the MCP registry.'),
  user_id: id('The person who wrote the review.'),
  rating: count('The rating, 1 to 5.'),
  org_id: ORG_ID,
};

const sample = {
  review_id: '019a9f61-7f0c-7a35-9d1e-6b28c4a0f573',
  listing_id: SAMPLE_LISTING,
  name: 'io.github.acme/weather',
  user_id: SAMPLE.person,
  rating: 4,
  org_id: SAMPLE.organisation,
};

/** Sent to the owner of the listing. The text of a review is not in them: its author may change or delete it. */
export const REVIEW_EVENTS = defineEvents('Reviews', {
  'review.created': event('Review created', 'A person reviewed a listing.', shape(review, sample)),

  'review.updated': event(
    'Review updated',
    'A person changed their review of a listing.',
    shape({ ...review, changed: changed('rating', 'text') }, { ...sample, changed: ['rating', 'text'] }),
  ),

  'review.deleted': event('Review deleted', 'A person deleted their review of a listing.', shape(review, sample)),

  'review.answered': event(
    'Review answered',
    'The owner of a listing answered a review.',
    shape({ ...review, answered_by: id('The person who answered.') }, { ...sample, answered_by: SAMPLE.administrator }),
  ),

  'review.hidden': event(
    'Review hidden',
    'A platform administrator hid a review, or gave another reason for it. It does not count.',
    shape({ ...review, reason: text('Why.') }, { ...sample, reason: 'It names a customer.' }),
  ),

  'review.shown': event(
    'Review shown',
    'A platform administrator showed a hidden review again. It counts.',
    shape(review, sample),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof REVIEW_EVENTS> {}
}
