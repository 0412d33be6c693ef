import type { Columns } from '../../database/columns';
import type { Category } from '../categories/category.entity';
import type { ListingVersion } from '../listings/listing-version.entity';
import type { ServerDocument } from '../listings/server-document';

/** A version as the registry API selects it. */
export type RegistryRow = Pick<
  Columns<ListingVersion>,
  | 'listing_id'
  | 'server_name'
  | 'version'
  | 'server'
  // What is said of it where it is shown; `deleted` where it is not shown any more.
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

/** The same in a list. */
export type RegistryListRow = RegistryRow & {
  /** Whether nothing comes after the page. */
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
/** What `OWN` was called in release 0.1; still written for those who read it, until the release after the next. */
const FORMERLY_OWN = 'toolyard/listing';

/** The longest `statusMessage` that the contract knows, in characters. */
const LONGEST_MESSAGE = 500;

/**
 * A version in the wire form of the generic registry API (contract, section 10). `_meta` is always there: a well-known
 * client reads fields of it without asking. Of the document's own `_meta` only what its publisher provides is passed on,
 * as the API has it, and of a longer `statusMessage` what the API has room for; `GET …/listings/{listing_id}/versions`
 * has all of it.
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

/** The document as it is, unless its `_meta` has what the API is closed to; every field stays where it is. */
function passedOn(document: ServerDocument): ServerDocument {
  const meta = document._meta as Record<string, unknown> | undefined;
  if (meta === undefined || Object.keys(meta).every((key) => key === PUBLISHER)) return document;
  return { ...document, _meta: PUBLISHER in meta ? { [PUBLISHER]: meta[PUBLISHER] } : {} };
}

function shortened(message: string): string {
  const characters = Array.from(message);
  return characters.length > LONGEST_MESSAGE ? `${characters.slice(0, LONGEST_MESSAGE - 1).join('')}…` : message;
}

/** What is left to be said of a version that everybody once saw and that is private now: that it is gone. */
function tombstone({ server_name, version }: RegistryRow): ServerDocument {
  return { name: server_name, description: 'No longer available.', version };
}
