import type { ImportRun, ImportSource } from '../../../api/schema';
import { expectedOf, rateOf, stateOf } from './runs';

const RUN: ImportRun = {
  id: '1',
  source: 'file',
  mode: 'whole',
  status: 'running',
  seen: 300,
  created: 1,
  updated: 0,
  unchanged: 299,
  quarantined: 0,
  error: null,
  started_at: '2026-11-28T10:00:00.000Z',
  updated_at: '2026-11-28T10:00:30.000Z',
  finished_at: null,
};
const SOURCE: ImportSource = {
  address: 'file',
  is_scheduled: false,
  is_running: true,
  next_run_at: null,
  changed_until: null,
  whole_seen: 2_628,
  open: 0,
  edited: 0,
  dismissed: 0,
};

describe('A run', () => {
  it('is interrupted if its process is gone', () => {
    expect(stateOf(RUN, [SOURCE])).toBe('running');
    expect(stateOf(RUN, [{ ...SOURCE, is_running: false }])).toBe('interrupted');
    expect(stateOf({ ...RUN, status: 'failed' }, [])).toBe('failed');
  });

  it('has a rate from its first page on', () => {
    expect(rateOf(RUN)).toBe(10);
    expect(rateOf({ ...RUN, seen: 0 })).toBeUndefined();
    expect(rateOf({ ...RUN, updated_at: RUN.started_at })).toBeUndefined();
  });

  it('is expected to read as much as the last time, if it reads everything', () => {
    expect(expectedOf(RUN, [SOURCE])).toBe(2_628);
    expect(expectedOf({ ...RUN, mode: 'incremental' }, [SOURCE])).toBeUndefined();
    expect(expectedOf({ ...RUN, seen: 3_000 }, [SOURCE])).toBeUndefined();
    expect(expectedOf(RUN, [])).toBeUndefined();
  });
});
