import type { ConsoleScene } from './console-scene';
import { createListing, unique } from './factories';

/** @returns the id and the title of a public server of Acme, which people outside can see */
export async function addPublicServer({ test, orgId }: ConsoleScene): Promise<{ id: string; title: string }> {
  const id = await createListing(test.dataSource, { category: 'science-and-research', visibility: 'PUBLIC', orgId });
  const title = `Open Weather ${unique('server')}`;
  await test.dataSource.query(`UPDATE listings SET title = $2 WHERE id = $1`, [id, title]);
  return { id, title };
}
