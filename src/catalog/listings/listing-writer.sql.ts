/** `$1` to `$14`: a draft in the order of the columns; `$13` is the document that it shows. */
export const INSERT_LISTING = `
  INSERT INTO listings (id, name, slug, title, description, category_id, visibility, org_id, owner_id,
                        repository, website_url, icons, transports, registry_types, is_sample)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, server_transports($13), server_registry_types($13), $14)`;

export const INSERT_VERSION = `
  INSERT INTO listing_versions
    (listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at, documentation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** `$1`: the ids of listings. */
export const VERSIONS_OF_LISTINGS = `
  SELECT listing_id, version, coalesce(published_at, created_at) AS date, is_latest, status = 'deleted' AS is_deleted
  FROM listing_versions WHERE listing_id = ANY ($1)`;

/** `$1`: the ids of listings. */
export const UNMARK_LATEST = `
  UPDATE listing_versions SET is_latest = false WHERE listing_id = ANY ($1) AND is_latest`;

/** `$1` and `$2`: the ids of listings, and the version of each that is now the latest. */
export const MARK_LATEST = `
  UPDATE listing_versions AS versions SET is_latest = true
  FROM unnest($1::uuid[], $2::text[]) AS latest (listing_id, version)
  WHERE versions.listing_id = latest.listing_id AND versions.version = latest.version
  RETURNING versions.listing_id, versions.server`;

/** `$1`: a JSON list of what each listing shows from now on. Returns, for each, the fields that differ. */
export const SHOW_LATEST = `
  UPDATE listings
  SET title = shown.title, description = shown.description, repository = NULLIF(shown.repository, 'null'),
      website_url = shown.website_url, icons = shown.icons, updated_at = now(),
      transports = server_transports(shown.server), registry_types = server_registry_types(shown.server)
  FROM jsonb_to_recordset($1) AS shown (id uuid, title text, description text, repository jsonb, website_url text,
                                        icons jsonb, server jsonb)
  JOIN listings AS before USING (id)
  WHERE listings.id = before.id
  RETURNING listings.id, array_remove(ARRAY[
    CASE WHEN before.title <> listings.title THEN 'title' END,
    CASE WHEN before.description <> listings.description THEN 'description' END,
    CASE WHEN before.repository IS DISTINCT FROM listings.repository THEN 'repository' END,
    CASE WHEN before.website_url IS DISTINCT FROM listings.website_url THEN 'website_url' END,
    CASE WHEN before.icons <> listings.icons THEN 'icons' END], NULL) AS changed`;

/** `$1`: the ids of listings. */
export const PUBLISH_LISTINGS = `
  UPDATE listings
  SET status = 'PUBLISHED', published_at = now(), archived_at = NULL, archived_by_import = false,
      archived_by_platform = false, archive_reason = NULL, updated_at = now()
  WHERE id = ANY ($1) AND status <> 'PUBLISHED' RETURNING id, name, org_id, owner_id`;

/**
 * `$1`: the ids of listings; `$2`: whether the import does it, which then may publish them again; `$3`: whether a platform
 * administrator does; `$4`: the reason.
 */
export const ARCHIVE_LISTINGS = `
  UPDATE listings
  SET status = 'ARCHIVED', archived_at = now(), archived_by_import = $2, archived_by_platform = $3, archive_reason = $4,
      updated_at = now()
  WHERE id = ANY ($1) AND status = 'PUBLISHED' RETURNING id, name, org_id, owner_id`;

/** `$1`: the id of an archived listing; `$2`: why platform administrators keep it archived. */
export const KEEP_ARCHIVED = `
  UPDATE listings
  SET archived_by_import = false, archived_by_platform = true, archive_reason = $2, updated_at = now()
  WHERE id = $1 AND status = 'ARCHIVED' RETURNING id, name, org_id, owner_id`;
