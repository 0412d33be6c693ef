import { OFFICIAL } from '../import/incoming';
import type { Columns } from '../../database/columns';
import type { Category } from '../categories/category.entity';
import type { ListingVersion } from '../listings/listing-version.entity';
import { PUBLISHER, type ServerDocument } from '../listings/server-document';

/** A version as selected for the registry API. */
export type RegistryRow = Pick<
  Columns<ListingVersion>,
  | 'listing_id'
  | 'server_name'
  | 'version'
  // The status of a listed version; `deleted` if it is no longer listed.
  | 'status'
  | 'status_message'
  | 'status_changed_at'
  | 'published_at'
  | 'created_at'
  | 'updated_at'
  | 'is_latest'
> & {
  category: Category['slug'];
  /** The document as published. */
  document: string;
  /** Whether the document may be shown: not once the listing is private again. */
  is_shown: boolean;
};

/** A version in a list. */
export type RegistryListRow = RegistryRow & {
  /** Whether nothing follows the page. */
  is_last: boolean;
};

const OWN = 'com.toolyard/listing';
/** The name of `OWN` in release 0.1; still sent to clients that read it, until the release after the next. */
const FORMERLY_OWN = 'toolyard/listing';

/** Finds `_meta` in the text of a document, also if a character of the name is escaped. */
const MAY_HAVE_META = /_meta|\\u/;

/** The maximum length of `statusMessage` in the registry API, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Converts a version to the wire format of the generic registry API (contract, section 10). `_meta` is always present,
 * because a well-known client reads its fields unconditionally. As the API requires, only the publisher-provided part
 * of the document's own `_meta` is passed on, and a longer `statusMessage` is shortened;
 * `GET …/listings/{listing_id}/versions` returns both in full.
 *
 * @returns JSON; the document goes from the database to the client as text, because parsing and writing it again would
 *   cost more than everything else
 */
export function toServerResponse(row: RegistryRow): string {
  const own = { id: row.listing_id, ...(row.is_shown && { category: row.category }) };
  const meta = {
    [OFFICIAL]: {
      status: row.status,
      statusChangedAt: (row.status_changed_at ?? row.published_at ?? row.created_at).toISOString(),
      ...(row.status_message !== null && row.is_shown && { statusMessage: shortened(row.status_message) }),
      publishedAt: (row.published_at ?? row.created_at).toISOString(),
      updatedAt: row.updated_at.toISOString(),
      isLatest: row.is_latest,
    },
    [OWN]: own,
    [FORMERLY_OWN]: own,
  };
  const server = row.is_shown ? passedOn(row.document) : JSON.stringify(tombstone(row));
  return `{"server":${server},"_meta":${JSON.stringify(meta)}}`;
}

/** The document, without the `_meta` keys that the API does not allow. The field order is kept. */
function passedOn(text: string): string {
  if (!MAY_HAVE_META.test(text)) return text;
  const document = JSON.parse(text) as ServerDocument;
  const meta = document._meta as Record<string, unknown> | undefined;
  if (meta === undefined || Object.keys(meta).every((key) => key === PUBLISHER)) return JSON.stringify(document);
  return JSON.stringify({ ...document, _meta: PUBLISHER in meta ? { [PUBLISHER]: meta[PUBLISHER] } : {} });
}

function shortened(message: string): string {
  const characters = Array.from(message);
  return characters.length > MAX_MESSAGE_LENGTH ? `${characters.slice(0, MAX_MESSAGE_LENGTH - 1).join('')}…` : message;
}

/** Replaces the document of a version that was once public and is private now. */
function tombstone({ server_name, version }: RegistryRow): ServerDocument {
  return { name: server_name, description: 'No longer available.', version };
}
