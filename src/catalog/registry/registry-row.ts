import type { Columns } from '../../database/columns';
import type { Category } from '../categories/category.entity';
import type { ListingVersion } from '../listings/listing-version.entity';
import type { ServerDocument } from '../listings/server-document';

/** A version as selected for the registry API. */
export type RegistryRow = Pick<
  Columns<ListingVersion>,
  | 'listing_id'
  | 'server_name'
  | 'version'
  | 'server'
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
  /** Whether the document may be shown: not once the listing is private again. */
  is_shown: boolean;
};

/** A version in a list. */
export type RegistryListRow = RegistryRow & {
  /** Whether nothing follows the page. */
  is_last: boolean;
};

/** `ServerResponse` of the generic registry API. */
export interface ServerResponse {
  server: ServerDocument;
  _meta: Record<string, Record<string, unknown>>;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';
const OWN = 'com.toolyard/listing';
/** The name of `OWN` in release 0.1; still sent to clients that read it, until the release after the next. */
const FORMERLY_OWN = 'toolyard/listing';

/** The maximum length of `statusMessage` in the registry API, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Converts a version to the wire format of the generic registry API (contract, section 10). `_meta` is always present,
 * because a well-known client reads its fields unconditionally. As the API requires, only the publisher-provided part
 * of the document's own `_meta` is passed on, and a longer `statusMessage` is shortened;
 * `GET …/listings/{listing_id}/versions` returns both in full.
 */
export function toServerResponse(row: RegistryRow): ServerResponse {
  const own = { id: row.listing_id, ...(row.is_shown && { category: row.category }) };
  return {
    server: row.is_shown ? passedOn(row.server) : tombstone(row),
    _meta: {
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
    },
  };
}

/** The document, without the `_meta` keys that the API does not allow. The field order is kept. */
function passedOn(document: ServerDocument): ServerDocument {
  const meta = document._meta as Record<string, unknown> | undefined;
  if (meta === undefined || Object.keys(meta).every((key) => key === PUBLISHER)) return document;
  return { ...document, _meta: PUBLISHER in meta ? { [PUBLISHER]: meta[PUBLISHER] } : {} };
}

function shortened(message: string): string {
  const characters = Array.from(message);
  return characters.length > MAX_MESSAGE_LENGTH ? `${characters.slice(0, MAX_MESSAGE_LENGTH - 1).join('')}…` : message;
}

/** Replaces the document of a version that was once public and is private now. */
function tombstone({ server_name, version }: RegistryRow): ServerDocument {
  return { name: server_name, description: 'No longer available.', version };
}
