import type { Limits } from '../../config/limits';
import type { RetainedRows } from '../../database/row-retention';

/** The latest run of each source is kept regardless of age, because the next run continues from it. */
export function retainedImportRuns({ runRetentionDays }: Limits): RetainedRows {
  return {
    name: 'the imports',
    days: runRetentionDays,
    remove: `
      DELETE FROM import_runs WHERE id IN (
        SELECT id FROM import_runs AS run WHERE id < $1 AND EXISTS (
          SELECT FROM import_runs AS later WHERE later.source = run.source AND later.id > run.id)
        ORDER BY id LIMIT $2)`,
  };
}
