/** A run as the table has it. */
export interface ImportRun {
  id: string;
  source: string;
  mode: 'whole' | 'incremental';
  status: 'running' | 'finished' | 'failed';
  changed_since: Date | null;
  changed_until: Date | null;
  next_cursor: string | null;
  seen: number;
  created: number;
  updated: number;
  unchanged: number;
  quarantined: number;
  error: string | null;
  started_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}
