import type { EntityManager } from 'typeorm';
import { execute, many } from '../../database/statements';
import { isObject } from '../../http/requests/json-object';

/** Assigns servers to categories. */
export interface CategoryMap {
  /** Categories to create if they do not exist. */
  categories: { slug: string; name: string; description: string; icon: string; display_order: number }[];
  /** Category slug by server name. */
  assignments: ReadonlyMap<string, string>;
}

/** The category of servers that the map does not assign. */
export const UNCATEGORISED = 'uncategorised';

export const NO_MAP: CategoryMap = { categories: [], assignments: new Map() };

/** An error message names this many slugs and gives only the number of the others. */
const MAX_NAMED = 5;

/**
 * @param json `{"categories"?: [{slug, name?, description?, icon?, display_order?}], "assignments"?: {name: slug}}`, or
 *   only the assignments
 * @throws Error with a message for the operator if the map is invalid
 */
export function readCategoryMap(json: unknown): CategoryMap {
  if (!isObject(json)) throw new Error('A category map is a JSON object.');
  const isWhole = 'assignments' in json || 'categories' in json;
  const { assignments = {}, categories = [] } = isWhole ? json : { assignments: json };
  if (!isObject(assignments)) throw new Error('"assignments" of a category map must be an object.');
  for (const [name, slug] of Object.entries(assignments)) {
    if (typeof slug !== 'string') throw new Error(`The category of ${name} must be a slug.`);
  }
  if (!Array.isArray(categories)) throw new Error('"categories" of a category map must be a list.');
  const parsed = categories.map(readCategory);
  const duplicate = parsed.find(({ slug }, index) => parsed.findIndex((other) => other.slug === slug) < index);
  if (duplicate) throw new Error(`The category ${duplicate.slug} appears twice in the map.`);
  return { categories: parsed, assignments: new Map(Object.entries(assignments as Record<string, string>)) };
}

function readCategory(entry: unknown, index: number): CategoryMap['categories'][number] {
  const place = `Category ${index + 1} of the map`;
  if (!isObject(entry)) throw new Error(`${place} must be an object.`);
  const { slug, name = slug, description = '', icon = 'box', display_order = (index + 1) * 10 } = entry;
  if (!isText(slug, 1, 60) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw new Error(`${place} needs a slug: at most 60 lower-case letters, digits and single hyphens.`);
  }
  if (!isText(name, 1, 100) || name.trim() === '')
    throw new Error(`${place} (${slug}): its name must have 1 to 100 characters.`);
  if (!isText(description, 0, 500)) {
    throw new Error(`${place} (${slug}): its description must have at most 500 characters.`);
  }
  if (!isText(icon, 1, 50) || !/^[a-z0-9-]+$/.test(icon)) {
    throw new Error(`${place} (${slug}): its icon must be an icon name: lower-case letters, digits and hyphens.`);
  }
  if (
    typeof display_order !== 'number' ||
    !Number.isInteger(display_order) ||
    display_order < 0 ||
    display_order > 1e6
  ) {
    throw new Error(`${place} (${slug}): its display_order must be an integer from 0 to 1,000,000.`);
  }
  return { slug, name, description, icon, display_order };
}

/** Creates the categories of the map that do not exist; existing ones stay unchanged. */
export async function ensureCategories(
  manager: EntityManager,
  { categories }: Pick<CategoryMap, 'categories'>,
): Promise<void> {
  if (categories.length === 0) return;
  await execute(
    manager,
    `INSERT INTO categories (slug, name, description, icon, display_order)
     SELECT slug, name, description, icon, display_order
     FROM jsonb_to_recordset($1) AS given (slug text, name text, description text, icon text, display_order int)
     WHERE slug NOT IN (SELECT slug FROM categories)
     ON CONFLICT ON CONSTRAINT categories_slug_key DO NOTHING`,
    [JSON.stringify(categories)],
  );
}

/** Creates the category `uncategorised` if any of these slugs does not exist. */
export async function ensureUncategorised(manager: EntityManager, slugs: readonly string[]): Promise<void> {
  const uniqueSlugs = [...new Set(slugs)];
  // Shared lock: none of them may be deleted while listings are added to it.
  const count = await execute(manager, `SELECT FROM categories WHERE slug = ANY ($1) FOR KEY SHARE`, [uniqueSlugs]);
  if (count === uniqueSlugs.length) return;
  const uncategorised = { slug: UNCATEGORISED, name: 'Uncategorised', description: '', icon: 'box' };
  await ensureCategories(manager, { categories: [{ ...uncategorised, display_order: 1_000_000 }] });
}

/** @returns an error message if the map assigns servers to categories that exist neither in it nor here */
export async function categoryMapFault(
  manager: EntityManager,
  { assignments }: CategoryMap,
): Promise<string | undefined> {
  const assignedSlugs = [...new Set(assignments.values())].filter((slug) => slug !== UNCATEGORISED);
  const rows = await many<{ slug: string }>(manager, `SELECT slug FROM categories WHERE slug = ANY ($1)`, [
    assignedSlugs,
  ]);
  const existing = new Set(rows.map(({ slug }) => slug));
  const missing = assignedSlugs.filter((slug) => !existing.has(slug));
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, MAX_NAMED).map((slug) => JSON.stringify(slug));
  const others = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : '';
  return `The category map assigns servers to categories that do not exist: ${named.join(', ')}${others}.`;
}

function isText(value: unknown, min: number, max: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= min &&
    value.length <= max &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}
