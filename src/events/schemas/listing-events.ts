import type { EventType } from '../event-catalogue';
import { changed, type EventShape, id, ORG_ID, shape, text } from '../event-shape';
import { SAMPLE } from './sample-ids';

const listing = {
  listing_id: id('The listing.'),
  name: text('Its unique name, reverse-DNS as in the MCP registry.'),
};

const sample = { listing_id: SAMPLE.listing, name: 'io.github.acme/weather' };

export const LISTING_EVENTS = {
  'listing.published': shape({ ...listing, org_id: ORG_ID }, { ...sample, org_id: SAMPLE.organisation }),

  'listing.updated': shape(
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

  'listing.archived': shape({ ...listing, org_id: ORG_ID }, { ...sample, org_id: SAMPLE.organisation }),
} satisfies Partial<Record<EventType, EventShape>>;
