import type { ImportRun, ImportSource } from '../../../api/schema';

export type RunState = ImportRun['status'] | 'interrupted';

/** @returns its state; a run whose process was killed is still stored as running */
export function stateOf(run: ImportRun, sources: readonly ImportSource[]): RunState {
  const source = sources.find(({ address }) => address === run.source);
  return run.status === 'running' && source && !source.is_running ? 'interrupted' : run.status;
}

/** @returns versions a second, on the average; undefined before the first page */
export function rateOf({ seen, started_at, updated_at }: ImportRun): number | undefined {
  const seconds = (Date.parse(updated_at) - Date.parse(started_at)) / 1_000;
  return seen > 0 && seconds > 0 ? seen / seconds : undefined;
}

/**
 * @returns how many versions an import of everything will read, as the last one did; undefined where nothing says it, or it has
 *   read more already
 */
export function expectedOf(run: ImportRun, sources: readonly ImportSource[]): number | undefined {
  const last = sources.find(({ address }) => address === run.source)?.whole_seen ?? 0;
  return run.mode === 'whole' && last >= run.seen && last > 0 ? last : undefined;
}
