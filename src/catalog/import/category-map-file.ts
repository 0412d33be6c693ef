import { readFile } from 'node:fs/promises';
import { type CategoryMap, readCategoryMap } from './category-map';

/**
 * @param path as in `IMPORT_CATEGORY_MAP`
 * @returns undefined without a path
 * @throws Error that says what is wrong with the file
 */
export async function readMapFile(path: string | undefined): Promise<CategoryMap | undefined> {
  return path === undefined ? undefined : readCategoryMap(JSON.parse(await readFile(path, 'utf8')));
}
