/** `$1`: a JSON list of documents with the ids of their listings. Returns those whose version is stored. */
export const STORED_VERSIONS = `
  SELECT versions.server_name, versions.version, versions.server::jsonb = incoming.server::jsonb AS is_same,
         versions.server::text = incoming.server::text AS is_verbatim,
         versions.server::jsonb = incoming.cleaned AS is_cleaned, versions.status, versions.status_message
  FROM json_to_recordset($1) AS incoming (listing_id uuid, version text, server json, cleaned jsonb)
  JOIN listing_versions AS versions USING (listing_id, version)`;

/**
 * `$1`: a JSON list of listings; `$2`: their source; `$3`: the category of those whose own does not exist. Returns those
 * that were created: another transaction may have created one of the same name in the meantime.
 */
export const CREATE_LISTINGS = `
  INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, repository, website_url,
                        icons, transports, registry_types, published_at, import_source)
  SELECT incoming.id, incoming.name, incoming.slug, title, incoming.description,
         coalesce((SELECT id FROM categories WHERE slug = category), (SELECT id FROM categories WHERE slug = $3)),
         'PUBLISHED', 'PUBLIC', NULLIF(repository, 'null'), website_url, icons, server_transports(server),
         server_registry_types(server), published_at, $2
  FROM jsonb_to_recordset($1) AS incoming (id uuid, name text, slug text, title text, description text, category text,
    repository jsonb, website_url text, icons jsonb, server jsonb, published_at timestamptz)
  ON CONFLICT DO NOTHING RETURNING id, name, org_id, owner_id`;

/** `$1`: a JSON list of versions. */
export const INSERT_VERSIONS = `
  INSERT INTO listing_versions
    (listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at)
  SELECT listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at
  FROM json_to_recordset($1) AS incoming (listing_id uuid, version text, server json, is_latest boolean, status text,
    status_message text, status_changed_at timestamptz, published_at timestamptz)`;

/** `$1`: a JSON list of documents with the ids of their listings. */
export const REPLACE_DOCUMENTS = `
  UPDATE listing_versions AS versions SET server = incoming.server
  FROM json_to_recordset($1) AS incoming (listing_id uuid, version text, server json)
  WHERE versions.listing_id = incoming.listing_id AND versions.version = incoming.version`;

/** `$1`: a JSON list of the states of versions; `$2`: when one changed of which the source does not say it. */
export const CHANGE_STATES = `
  UPDATE listing_versions AS versions
  SET status = incoming.status, status_message = incoming."statusMessage",
      status_changed_at = coalesce(incoming."statusChangedAt", $2)
  FROM jsonb_to_recordset($1) AS incoming (listing_id uuid, version text, status text, "statusMessage" text,
    "statusChangedAt" timestamptz)
  WHERE versions.listing_id = incoming.listing_id AND versions.version = incoming.version
    AND (versions.status, versions.status_message) IS DISTINCT FROM (incoming.status, incoming."statusMessage")`;

/** `$1`: the ids of listings. Returns those with a version that is not deleted. */
export const LIVING_LISTINGS = `
  SELECT id FROM unnest($1::uuid[]) AS listing (id)
  WHERE EXISTS (SELECT FROM listing_versions WHERE listing_id = listing.id AND status <> 'deleted')`;

/**
 * `$1`: the source; `$2` and `$3`: names and versions of the page; `$4`: digests of what is still unusable. What an
 * administrator has edited stays, as the record of it.
 */
export const RELEASE_FROM_QUARANTINE = `
  DELETE FROM import_quarantine AS kept USING unnest($2::text[], $3::text[]) AS incoming (name, version)
  WHERE kept.source = $1 AND kept.name = incoming.name AND kept.version = incoming.version
    AND kept.state <> 'EDITED' AND NOT kept.digest = ANY ($4::bytea[])`;

/** `$1`: a JSON list of unusable entries; `$2`: their source. One that is there for the same reasons is not written. */
export const QUARANTINE = `
  INSERT INTO import_quarantine (source, digest, name, version, kind, reasons, document)
  SELECT $2, digest, name, version, kind, reasons, coalesce(document, 'null')
  FROM jsonb_to_recordset($1) AS incoming (digest bytea, name text, version text, kind text, reasons jsonb, document jsonb)
  ON CONFLICT ON CONSTRAINT import_quarantine_pkey DO UPDATE SET reasons = excluded.reasons, kind = excluded.kind
  WHERE import_quarantine.state = 'OPEN'
    AND (import_quarantine.reasons, import_quarantine.kind) IS DISTINCT FROM (excluded.reasons, excluded.kind)`;
