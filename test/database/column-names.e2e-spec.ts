import type { ColumnsOf } from '../../src/database/columns';
import { createDatabase } from '../support/database';

/** Compiles only if `ColumnsOf` gives these names, and no others. */
const ROW: ColumnsOf<
  { id: string; orgId: string | null; rateLimitPerSecond: number; secret: string },
  'id' | 'orgId' | 'rateLimitPerSecond'
> = { id: 'a', org_id: null, rate_limit_per_second: 3 };

describe('Columns', () => {
  it('are named after the properties of their entities, as the type ColumnsOf expects', async () => {
    const { dataSource, drop } = await createDatabase();
    try {
      const columns = dataSource.entityMetadatas.flatMap((entity) =>
        entity.columns.map(({ propertyName, databaseName }) => ({ entity: entity.name, propertyName, databaseName })),
      );
      const others = columns.filter(({ propertyName, databaseName }) => databaseName !== snakeCase(propertyName));
      expect(Object.keys(ROW)).toEqual(['id', 'orgId', 'rateLimitPerSecond'].map(snakeCase));
      expect(columns.length).toBeGreaterThan(200);
      expect(others).toEqual([]);
    } finally {
      await drop();
    }
  });
});

function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
