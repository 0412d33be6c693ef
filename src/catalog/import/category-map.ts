import type { EntityManager } from 'typeorm';

/** Which category each server goes into. */
export interface CategoryMap {
  /** Categories to be made if they are not there. */
  categories: { slug: string; name: string; description: string; icon: string; display_order: number }[];
  /** By server name; the category's slug. */
  assignments: ReadonlyMap<string, string>;
}

/** Where a server goes that no map names. */
export const UNCATEGORISED = 'uncategorised';

export const NO_MAP: CategoryMap = { categories: [], assignments: new Map() };

/**
 * @param json `{"categories"?: [{slug, name, description?, icon?, display_order?}], "assignments": {name: slug}}`, or
 *   only the assignments
 * @throws Error that says what is wrong with it
 */
export function readCategoryMap(json: unknown): CategoryMap {
  if (!isObject(json)) throw new Error('A category map is a JSON object.');
  const assignments = isObject(json.assignments) ? json.assignments : json.categories === undefined ? json : {};
  for (const [name, slug] of Object.entries(assignments)) {
    if (typeof slug !== 'string') throw new Error(`The category of ${name} must be the slug of one.`);
  }
  const listed = json.assignments === undefined && !Array.isArray(json.categories) ? [] : (json.categories ?? []);
  if (!Array.isArray(listed)) throw new Error('"categories" of a category map must be a list.');
  const categories = listed.map((one: unknown, index): CategoryMap['categories'][number] => {
    if (!isObject(one) || typeof one.slug !== 'string' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(one.slug)) {
      throw new Error(`Category number ${index + 1} of the map needs a slug.`);
    }
    return {
      slug: one.slug,
      name: typeof one.name === 'string' ? one.name : one.slug,
      description: typeof one.description === 'string' ? one.description : '',
      icon: typeof one.icon === 'string' ? one.icon : 'box',
      display_order: Number.isInteger(one.display_order) ? (one.display_order as number) : (index + 1) * 10,
    };
  });
  return { categories, assignments: new Map(Object.entries(assignments as Record<string, string>)) };
}

/** Makes the categories of a map that are not there; those that are there stay as they are. */
export async function ensureCategories(manager: EntityManager, { categories }: CategoryMap): Promise<void> {
  const all = [
    ...categories,
    { slug: UNCATEGORISED, name: 'Uncategorised', description: '', icon: 'box', display_order: 1_000_000 },
  ];
  await manager.query(
    `INSERT INTO categories (slug, name, description, icon, display_order)
     SELECT slug, name, description, icon, display_order
     FROM jsonb_to_recordset($1) AS given (slug text, name text, description text, icon text, display_order int)
     WHERE slug NOT IN (SELECT slug FROM categories)
     ON CONFLICT ON CONSTRAINT categories_slug_key DO NOTHING`,
    [JSON.stringify(all)],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
