import type { EventType } from '../event-catalogue';
import { changed, count, type EventShape, id, instant, oneOf, ORG_ID, orNull, shape, text } from '../event-shape';
import { SAMPLE } from './sample-ids';

const bundle = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  slug: text('Its slug, unique among the bundles of the organisation or person.'),
};

const bundleVersion = count('The version that the bundle is at: a snapshot of its entries.');

const visibility = oneOf(['PUBLIC', 'PRIVATE'], 'Who may see it: everybody with an account, or its owners.');

const sample = { bundle_id: SAMPLE.bundle, name: 'Incident response', slug: 'incident-response' };

const entry = {
  bundle_id: id('The bundle.'),
  entry_id: id('The entry in it.'),
};

const HIDDEN = 'it is private, and not of the organisation or person that owns the bundle';

const follow = shape(
  { bundle_id: id('The bundle.'), user_id: id('The person who follows it, or did.'), org_id: ORG_ID },
  { bundle_id: SAMPLE.bundle, user_id: SAMPLE.person, org_id: SAMPLE.organisation },
);

const accessToken = {
  bundle_id: id('The bundle that it opens.'),
  access_token_id: id('The access token.'),
  name: text('Its name.'),
  prefix: text('Its first characters, by which a person tells tokens apart; never the token.'),
};

const sampleAccessToken = {
  bundle_id: SAMPLE.bundle,
  access_token_id: SAMPLE.accessToken,
  name: 'CI',
  prefix: 'tyb_pX3v',
};

export const BUNDLE_EVENTS = {
  'bundle.created': shape(
    { ...bundle, visibility, org_id: ORG_ID },
    { ...sample, visibility: 'PRIVATE', org_id: SAMPLE.organisation },
  ),

  'bundle.updated': shape(
    {
      ...bundle,
      visibility,
      changed: changed('name', 'slug', 'description', 'visibility', 'editors', 'entries'),
      bundle_version: bundleVersion,
      org_id: ORG_ID,
    },
    { ...sample, visibility: 'PUBLIC', changed: ['visibility'], bundle_version: 7, org_id: SAMPLE.organisation },
  ),

  'bundle.deleted': shape(
    { ...bundle, deleted_by: id('The person who deleted it.'), org_id: ORG_ID },
    { ...sample, deleted_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
  ),

  'bundle.entry_added': shape(
    {
      ...entry,
      listing_id: orNull(
        id('The listing that was put in; null: an entry was restored whose listing is deleted, or see `listing_name`.'),
      ),
      listing_name: orNull(text(`Its name, reverse-DNS as in the MCP registry; null: ${HIDDEN}.`)),
      version: orNull(
        text(
          'The version of the listing to which the entry is pinned; null: it follows the newest, or see `listing_name`.',
        ),
      ),
      position: count('Where it stands now, from 0.'),
      bundle_version: bundleVersion,
      org_id: ORG_ID,
    },
    {
      bundle_id: SAMPLE.bundle,
      entry_id: SAMPLE.bundleEntry,
      listing_id: SAMPLE.listing,
      listing_name: 'io.github.acme/weather',
      version: null,
      position: 0,
      bundle_version: 7,
      org_id: SAMPLE.organisation,
    },
  ),

  'bundle.entry_removed': shape(
    {
      ...entry,
      listing_id: orNull(id('The listing that was taken out; null: it had been deleted, or see `listing_name`.')),
      listing_name: orNull(text(`The name that it has, or had; null: ${HIDDEN}.`)),
      bundle_version: bundleVersion,
      org_id: ORG_ID,
    },
    {
      bundle_id: SAMPLE.bundle,
      entry_id: SAMPLE.bundleEntry,
      listing_id: SAMPLE.listing,
      listing_name: 'io.github.acme/weather',
      bundle_version: 8,
      org_id: SAMPLE.organisation,
    },
  ),

  'bundle.followed': follow,

  'bundle.unfollowed': follow,

  'bundle.access_token_created': shape(
    {
      ...accessToken,
      expires_at: orNull(instant('From when on it is refused; null: never.')),
      created_by: id('The person who made it.'),
      org_id: ORG_ID,
    },
    {
      ...sampleAccessToken,
      expires_at: '2027-02-01T00:00:00.000Z',
      created_by: SAMPLE.administrator,
      org_id: SAMPLE.organisation,
    },
  ),

  'bundle.access_token_revoked': shape(
    { ...accessToken, revoked_by: id('The person who revoked it.'), org_id: ORG_ID },
    { ...sampleAccessToken, revoked_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
  ),
} satisfies Partial<Record<EventType, EventShape>>;
