import { changed, id, known, orNull, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { ARCHIVERS } from './listing.dto';

const listing = {
  listing_id: id('The listing.'),
  name: text('Its unique name, reverse-DNS as in the MCP registry.'),
};

/** The listing id in all examples. */
export const SAMPLE_LISTING = '019a9f61-44b8-7e9d-a1d0-93f5c07b2e4c';

const sample = { listing_id: SAMPLE_LISTING, name: 'io.github.acme/weather' };

export const LISTING_EVENTS = defineEvents('Listings', {
  'listing.published': event(
    'Listing published',
    'A listing was published.',
    shape({ ...listing, org_id: ORG_ID }, { ...sample, org_id: SAMPLE.organisation }),
  ),

  'listing.updated': event(
    'Listing updated',
    'A listing was changed or received a new version.',
    shape(
      {
        ...listing,
        version: text('Its latest version.'),
        changed: changed(
          'title',
          'description',
          'category',
          'visibility',
          'repository',
          'website_url',
          'icons',
          'version',
        ),
        org_id: ORG_ID,
      },
      { ...sample, version: '1.4.0', changed: ['description', 'version'], org_id: SAMPLE.organisation },
    ),
  ),

  'listing.archived': event(
    'Listing archived',
    'A listing was archived, or platform administrators said why it stays so.',
    shape(
      {
        ...listing,
        archived_by: known(
          ARCHIVERS,
          'Who did it: its owner, a platform administrator, or the import from which it comes.',
        ),
        reason: orNull(text('Why; null: nobody said.')),
        org_id: ORG_ID,
      },
      {
        ...sample,
        archived_by: 'PLATFORM',
        reason: 'It sends what people type to another server.',
        org_id: SAMPLE.organisation,
      },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof LISTING_EVENTS> {}
}
