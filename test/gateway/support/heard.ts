import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Upstreams } from '../../../src/gateway/upstreams/upstreams.service';

/** How long a notification takes at most. */
const HEARD_MS = 10_000;
const MARK = 'mark ';

/**
 * Waits until processes have heard of all that has changed so far: notifications arrive in the order of their transactions,
 * so it sends one more, and waits for that.
 *
 * @param processes the upstreams of each
 */
export async function heardByAll(dataSource: DataSource, processes: readonly Upstreams[]): Promise<void> {
  const mark = MARK + randomUUID();
  const heard = processes.map(
    (upstreams) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('A process does not hear of changes.')), HEARD_MS);
        upstreams.onChange((upstreamId) => {
          if (upstreamId !== mark) return;
          clearTimeout(late);
          resolve();
        });
      }),
  );
  await dataSource.query(`SELECT pg_notify('toolyard_definitions', $1)`, [mark]);
  await Promise.all(heard);
}

/** @returns whether it was notified by `heardByAll`, and is no id */
export function isMark(upstreamId: string | undefined): boolean {
  return upstreamId?.startsWith(MARK) === true;
}
