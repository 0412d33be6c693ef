import type { Client, Connection, Submittable } from 'pg';
import type { ColumnKind } from './declared-statements';

/** A column of a result, as PostgreSQL describes it without running the statement. */
export interface DescribedColumn {
  name: string;
  kind: ColumnKind;
}

/** By the OIDs of PostgreSQL's types; node-postgres gives what is not here as a string. */
const KINDS: Record<number, ColumnKind> = {
  16: 'boolean',
  17: 'bytes',
  21: 'number',
  23: 'number',
  26: 'number',
  700: 'number',
  701: 'number',
  1082: 'instant',
  1114: 'instant',
  1184: 'instant',
  114: 'unknown', // json
  3802: 'unknown', // jsonb
  1186: 'unknown', // an interval is an object
  2278: 'unknown', // void
};

/** The types of lists that node-postgres reads as such. */
const LISTS = new Set([
  199, 1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951, 3807,
]);

/**
 * Has a statement parsed and described, as node-postgres does before it runs one: `PREPARE` does not say the names of the
 * columns.
 *
 * @returns the columns; none of what gives no rows
 * @throws DatabaseError for what does not parse
 */
export function describeStatement(client: Client, sql: string): Promise<DescribedColumn[]> {
  return new Promise((resolve, reject) => client.query(new Description(sql, resolve, reject)));
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

class Description implements Submittable {
  private columns: DescribedColumn[] = [];

  constructor(
    private readonly sql: string,
    private readonly resolve: (columns: DescribedColumn[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.sql, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      kind: LISTS.has(dataTypeID) ? 'list' : (KINDS[dataTypeID] ?? 'string'),
    }));
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.columns);
  }
}
