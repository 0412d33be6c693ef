import type { TestApp } from '../../support/app';
import { CallWriter } from '../../../src/gateway/calls/call-writer';
import { eventually } from '../../support/eventually';
import type { Json } from './test-upstream';

/** Everything that an application has recorded of a bundle, the oldest call first, once nothing waits any more. */
export async function recordedCalls({ app, dataSource }: TestApp, bundleId: string): Promise<Json[]> {
  await eventually(
    () => app.get(CallWriter).waiting,
    (waiting) => waiting === 0,
    5_000,
  );
  return rowsOf(dataSource, bundleId);
}

/** What is in the record of a bundle now. */
export function rowsOf(dataSource: TestApp['dataSource'], bundleId: string): Promise<Json[]> {
  return dataSource.query<Json[]>(`SELECT * FROM endpoint_calls WHERE bundle_id = $1 ORDER BY id`, [bundleId]);
}

/** @returns the record of a bundle, once it has as many rows */
export function untilRecorded(test: TestApp, bundleId: string, count: number): Promise<Json[]> {
  return eventually(
    () => recordedCalls(test, bundleId),
    (rows) => rows.length >= count && rows.every(({ bytes_out }) => bytes_out !== null),
    5_000,
  );
}
