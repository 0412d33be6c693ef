import type { Columns } from '../../database/columns';
import type { ImportRunRow } from './import-run.entity';

/** A row of `import_runs`. */
export type ImportRun = Omit<Columns<ImportRunRow>, 'from' | 'digest'>;
