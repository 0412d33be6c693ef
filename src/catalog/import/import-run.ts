import type { Columns } from '../../database/columns';
import type { ImportRunRow } from './import-run.entity';

/** A run as the table has it. */
export type ImportRun = Omit<Columns<ImportRunRow>, 'from' | 'digest'>;
