/** How many listings are named before they are moved. */
export const MAX_FIRST = 20;

/** $1 category. Drafts and private listings are seen by their owners alone, so that no name of theirs is read. */
export const COUNT_MOVABLE = `
  SELECT count(*)::int AS moved,
         count(*) FILTER (WHERE status = 'PUBLISHED')::int AS published,
         count(*) FILTER (WHERE status = 'DRAFT')::int AS drafts,
         count(*) FILTER (WHERE status = 'ARCHIVED')::int AS archived,
         count(*) FILTER (WHERE status = 'DRAFT' OR visibility <> 'PUBLIC')::int AS unseen
  FROM listings WHERE category_id = $1`;

/** $1 category, $2 how many. */
export const FIRST_MOVABLE = `
  SELECT id, name, title, status FROM listings
  WHERE category_id = $1 AND status <> 'DRAFT' AND visibility = 'PUBLIC'
  ORDER BY name COLLATE "C", id LIMIT $2`;

/** $1 from, $2 to. */
export const MOVE_LISTINGS = `
  UPDATE listings SET category_id = $2, updated_at = now() FROM listing_versions AS latest
  WHERE category_id = $1 AND latest.listing_id = listings.id AND latest.is_latest
  RETURNING listings.id, name, listings.org_id, owner_id, latest.version`;

/** All categories in display order, with when they were counted. */
export const OVERVIEW = `
  SELECT categories.id, name, slug, description, icon, display_order, updated_at,
         coalesce(mcp_count, 0) AS mcp_count, coalesce(listed.number, 0)::int AS listings
  FROM categories
  LEFT JOIN category_counts ON category_counts.category_id = categories.id
  LEFT JOIN (SELECT category_id, count(*) AS number FROM listings GROUP BY category_id) AS listed
    ON listed.category_id = categories.id
  ORDER BY display_order, categories.id`;

/** $1 the ids in their new order: 10, 20, 30, so that one can be put between them. A category that stays keeps its time. */
export const REORDER = `
  UPDATE categories SET display_order = given.place * 10, updated_at = now()
  FROM unnest($1::int[]) WITH ORDINALITY AS given (id, place)
  WHERE categories.id = given.id AND display_order <> given.place * 10`;
