import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { execute } from '../../database/statements';
import { callColumns, type CallRow, WRITE_CALLS } from './call-writes.sql';

/** Values that PostgreSQL refuses: classes "data exception" and "integrity constraint violation". */
const REFUSED = /^2[23]/;

/** Puts rows into the record. */
@Injectable()
export class CallStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Writes a group in one statement. Should PostgreSQL refuse a row, the others are written all the same.
   *
   * @returns the rows that were refused, which is a defect
   * @throws what the driver throws; then it is not known which were written, and they can be written again
   */
  async write(rows: readonly CallRow[]): Promise<readonly CallRow[]> {
    if (rows.length === 0) return [];
    try {
      await execute(this.dataSource, WRITE_CALLS, callColumns(rows));
      return [];
    } catch (error) {
      if (!REFUSED.test(String((error as { code?: unknown }).code))) throw error;
      if (rows.length === 1) return rows;
      const half = Math.ceil(rows.length / 2);
      return [...(await this.write(rows.slice(0, half))), ...(await this.write(rows.slice(half)))];
    }
  }
}
