import { useInfiniteQuery } from '@tanstack/react-query';
import { callPart } from '../../../api/client';
import { date } from '../../../messages/text';
import { Dialog } from '../../../ui/dialog';
import { Stack } from '../../../ui/layout';
import { Problem, Skeleton } from '../../../ui/problem';
import { More } from '../../../ui/rows';
import { ChangeCounts } from './change-counts';
import { ChangeTable } from './change-table';
import { rolesWords } from './words';

const words = rolesWords.runs;
const RUN = 'GET /v1/organisations/{org_id}/scim/sync-runs/{run_id}';
const LIMIT = 100;

interface Props {
  orgId: string;
  runId: string;
  onClose: () => void;
}

/** What a sync changed, with the reason of each change. */
export function RunDialog({ orgId, runId, onClose }: Props) {
  const path = { org_id: orgId, run_id: runId };
  const read = useInfiniteQuery({
    queryKey: [RUN, path],
    queryFn: ({ signal, pageParam }) =>
      callPart(RUN, { path, query: { limit: LIMIT, ...(pageParam && { cursor: pageParam }) } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  });
  const run = read.data?.pages[0]?.answer;
  const changes = read.data?.pages.flatMap(({ answer }) => answer.changes) ?? [];
  return (
    <Dialog open wide onClose={onClose} title={words.title(run ? date(run.started_at) : '…')}>
      {run === undefined ? (
        read.error ? (
          <Problem error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )
      ) : (
        <Stack>
          <ChangeCounts counts={run} />
          {changes.length === 0 ? <p>{words.noChanges}</p> : <ChangeTable label={words.changes} changes={changes} />}
          <More list={{ ...read, items: changes }} />
        </Stack>
      )}
    </Dialog>
  );
}
