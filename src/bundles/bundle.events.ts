import { changed, count, id, instant, known, listOf, oneOf, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { BUNDLE_TOKEN_SCOPES } from './access-tokens/token-scope';
import { SAMPLE_LISTING } from '../catalog/listings/listing.events';
import { ORG_ID, SAMPLE } from '../organisations/organisation.events';

/** The id in the examples of this room. */
export const SAMPLE_BUNDLE = '019a9f62-8a0e-7d42-86b1-1e7d4fa3c958';
const SAMPLE_ENTRY = '019a9f62-c6f3-7381-9be5-e04c8d5b6a72';
const SAMPLE_TOKEN = '019a9f63-1d27-70fe-bd19-7a8e35c2f4d0';

const bundle = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  slug: text('Its slug, unique among the bundles of the organisation or person.'),
};

const bundleVersion = count('The number of the latest version of the bundle, which is a snapshot of its entries.');

const visibility = oneOf(
  ['PUBLIC', 'PRIVATE'],
  'Who may see it. `PUBLIC`: everyone, in the MCP registry also without an account. `PRIVATE`: its owner, its editors and the members of its organisation.',
);

const sample = { bundle_id: SAMPLE_BUNDLE, name: 'Incident response', slug: 'incident-response' };

const entry = {
  bundle_id: id('The bundle.'),
  entry_id: id('The entry in it.'),
};

const HIDDEN =
  'it is private, or was when it was deleted, and belongs to neither the organisation nor the person that owns the bundle';

const follow = shape(
  { bundle_id: id('The bundle.'), user_id: id('The person who follows it, or followed it.'), org_id: ORG_ID },
  { bundle_id: SAMPLE_BUNDLE, user_id: SAMPLE.person, org_id: SAMPLE.organisation },
);

const accessToken = {
  bundle_id: id('The bundle to which it belongs.'),
  access_token_id: id('The access token.'),
  name: text('Its name.'),
  prefix: text('Its first characters, to distinguish tokens.'),
  scopes: listOf(known(BUNDLE_TOKEN_SCOPES, 'A scope.'), 'What it can do, or could.'),
};

const sampleAccessToken = {
  bundle_id: SAMPLE_BUNDLE,
  access_token_id: SAMPLE_TOKEN,
  name: 'CI',
  prefix: 'tyb_pX3vK9',
  scopes: ['read' as const],
};

export const BUNDLE_EVENTS = defineEvents('Bundles', {
  'bundle.created': event(
    'Bundle created',
    'A bundle was created.',
    shape({ ...bundle, visibility, org_id: ORG_ID }, { ...sample, visibility: 'PRIVATE', org_id: SAMPLE.organisation }),
  ),

  'bundle.updated': event(
    'Bundle updated',
    'The name, slug, description, visibility or editors of a bundle changed, the order, settings or versions of its entries, or what it says of their tools.',
    shape(
      {
        ...bundle,
        visibility,
        changed: changed('name', 'slug', 'description', 'visibility', 'editors', 'entries', 'rules'),
        bundle_version: bundleVersion,
        org_id: ORG_ID,
      },
      { ...sample, visibility: 'PUBLIC', changed: ['visibility'], bundle_version: 7, org_id: SAMPLE.organisation },
    ),
  ),

  'bundle.deleted': event(
    'Bundle deleted',
    'A bundle was deleted, with everything that belonged to it.',
    shape(
      { ...bundle, deleted_by: id('The person who deleted it.'), org_id: ORG_ID },
      { ...sample, deleted_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),

  'bundle.entry_added': event(
    'Bundle entry added',
    'A listing was added to a bundle.',
    shape(
      {
        ...entry,
        listing_id: orNull(
          id(
            'The listing that was added; null: an entry was restored whose listing was deleted, or see `listing_name`.',
          ),
        ),
        listing_name: orNull(text(`Its name, reverse-DNS as in the MCP registry; null: ${HIDDEN}.`)),
        version: orNull(
          text(
            'The version of the listing to which the entry is pinned; null: it follows the newest, or see `listing_name`.',
          ),
        ),
        position: count('Its position in the bundle, from 0.'),
        bundle_version: bundleVersion,
        org_id: ORG_ID,
      },
      {
        bundle_id: SAMPLE_BUNDLE,
        entry_id: SAMPLE_ENTRY,
        listing_id: SAMPLE_LISTING,
        listing_name: 'io.github.acme/weather',
        version: null,
        position: 0,
        bundle_version: 7,
        org_id: SAMPLE.organisation,
      },
    ),
  ),

  'bundle.entry_removed': event(
    'Bundle entry removed',
    'A listing was removed from a bundle.',
    shape(
      {
        ...entry,
        listing_id: orNull(id('The listing that was removed; null: it had been deleted, or see `listing_name`.')),
        listing_name: orNull(text(`Its current or last name; null: ${HIDDEN}.`)),
        bundle_version: bundleVersion,
        org_id: ORG_ID,
      },
      {
        bundle_id: SAMPLE_BUNDLE,
        entry_id: SAMPLE_ENTRY,
        listing_id: SAMPLE_LISTING,
        listing_name: 'io.github.acme/weather',
        bundle_version: 8,
        org_id: SAMPLE.organisation,
      },
    ),
  ),

  'bundle.followed': event('Bundle followed', 'A person started to follow a bundle.', follow),

  'bundle.unfollowed': event('Bundle unfollowed', 'A person stopped following a bundle.', follow),

  'bundle.access_token_created': event(
    'Bundle access token created',
    'A bundle got a new access token.',
    shape(
      {
        ...accessToken,
        expires_at: orNull(instant('When it expires; null: never.')),
        created_by: id('The person who created it.'),
        org_id: ORG_ID,
      },
      {
        ...sampleAccessToken,
        expires_at: '2027-02-01T00:00:00.000Z',
        created_by: SAMPLE.administrator,
        org_id: SAMPLE.organisation,
      },
    ),
  ),

  'bundle.access_token_revoked': event(
    'Bundle access token revoked',
    'An access token of a bundle was revoked.',
    shape(
      { ...accessToken, revoked_by: id('The person who revoked it.'), org_id: ORG_ID },
      { ...sampleAccessToken, revoked_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof BUNDLE_EVENTS> {}
}
