import { belongsTo } from '../../catalog/listings/listing-visibility.sql';

type Parameter = `$${number}`;

/** Whether `listings` is or was everybody's to see: an archived one may be known to have been there. */
export const WAS_PUBLIC_LISTING = `(listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT')`;

/** What is selected as entries, and for whom. */
interface EntryView {
  /** Rows named `entries`, with the columns of `bundle_entries`. */
  from: string;
  /** Further columns. */
  columns: string;
  /** The version of its listing that an entry names; null: the newest is meant. */
  version: string;
  person: Parameter;
  /** Whether the bundle is the person's to read even if it is not public. */
  insider: Parameter;
}

/**
 * Entries as a person may see them. An archived listing may be known to have been there. One that never was everybody's
 * is known to those to whom it belongs; to the other people of the bundle its entry is there without its name, so that
 * nobody takes out or moves what they do not see, and to whoever reads the bundle because it is public it is not there
 * at all. The same holds for a deleted one, of which nobody can tell any more what it was.
 *
 * To be followed by an AND.
 */
export function entriesSeenBy({ from, columns, version, person, insider }: EntryView): string {
  return `
  SELECT entries.id, entries.is_enabled, entries.config, ${columns},
         CASE WHEN person.knows THEN entries.listing_id END AS listing_id,
         CASE WHEN person.knows THEN entries.listing_name END AS listing_name,
         CASE WHEN person.knows THEN entries.key END AS key,
         CASE WHEN person.knows THEN entries.version END AS version,
         CASE WHEN person.knows THEN COALESCE(${version}, latest.version) END AS listing_version,
         COALESCE(person.knows AND listings.status = 'PUBLISHED' AND meant.status <> 'deleted', false) AS is_available
  FROM ${from} LEFT JOIN listings ON listings.id = entries.listing_id
  LEFT JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  LEFT JOIN listing_versions AS meant
    ON meant.listing_id = listings.id AND meant.version = COALESCE(${version}, latest.version)
  CROSS JOIN LATERAL (
    SELECT CASE WHEN listings.id IS NULL THEN ${insider}::boolean
                ELSE ${WAS_PUBLIC_LISTING} OR ${belongsTo(person)}
           END AS knows
  ) AS person
  WHERE (${insider}::boolean OR person.knows)`;
}
