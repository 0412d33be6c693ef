import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../../api/queries';

/** While an import runs; TanStack Query stops while the page is hidden. */
const LIVE_MS = 2_000;
/** To see that one begins. */
const IDLE_MS = 15_000;
const SHOWN_RUNS = 20;

/** The last runs and the sources, again and again. */
export function useImports() {
  const [isLive, setLive] = useState(false);
  const pollEvery = isLive ? LIVE_MS : IDLE_MS;
  const overview = useRead('GET /v1/mcp/imports/overview', {}, { pollEvery });
  const runs = useRead('GET /v1/mcp/imports', { query: { limit: SHOWN_RUNS } }, { pollEvery });
  const isRunning = overview.data?.sources.some(({ is_running }) => is_running) ?? false;
  // One that was started by hand begins within a minute.
  const isDue = overview.data?.sources.some(({ next_run_at }) => isPast(next_run_at)) ?? false;
  if ((isRunning || isDue) !== isLive) setLive(isRunning || isDue);
  const client = useQueryClient();
  const seen = runs.data?.reduce((sum, { quarantined, updated }) => sum + quarantined + updated, 0);
  const former = useRef<number>(undefined);
  useEffect(() => {
    // What an import has put into quarantine since the list was read.
    if (former.current !== undefined && former.current !== seen) {
      void client.invalidateQueries({ queryKey: ['GET /v1/mcp/imports/quarantine'] });
    }
    former.current = seen;
  }, [client, seen]);
  return { overview, runs, isRunning };
}

const isPast = (instant: string | null): boolean => instant !== null && Date.parse(instant) <= Date.now();
