import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Bundle } from '../../../../api/schema';
import { Button, buttonClass } from '../../../../ui/button';
import { Quiet, Row, Stack } from '../../../../ui/layout';
import { Empty, Problem, Skeleton } from '../../../../ui/problem';
import { bundleRoute } from '../../bundle-route';
import { FIRST } from '../first-held';
import { useHeld } from '../use-tools';
import { toolsWords } from '../words';
import { ApproveDialog } from './approve-dialog';
import { ReviewTool } from './review-tool';

const words = toolsWords.review;
const DONE = 'done';

interface ReviewToolsProps {
  bundle: Bundle;
  /** Of the tool to look at, from the address. */
  toolId: string;
}

/** One after another, the definitions that wait for an approval. */
export function ReviewTools({ bundle, toolId }: ReviewToolsProps) {
  const navigate = bundleRoute.useNavigate();
  const client = useQueryClient();
  // Who comes by a link to one tool reads the others once it is decided.
  const [isListed, setListed] = useState(
    () => toolId === FIRST || client.getQueriesData({ queryKey: ['GET /v1/bundles/{bundle_id}/tools'] }).length > 0,
  );
  const held = useHeld(bundle.id, isListed);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [approving, setApproving] = useState<'all' | 'server'>();
  const go = (review: string) => void navigate({ search: { tab: 'tools', review }, replace: true });
  const left = held.items.filter(({ id }) => !decided.has(id));
  const currentId = toolId === FIRST || toolId === DONE ? left[0]?.id : toolId;
  const place = left.findIndex(({ id }) => id === currentId);
  const current = left[place];
  const ofServer = held.items.filter(({ entry_id }) => entry_id === current?.entry_id);
  const next = (id: string) => {
    setListed(true);
    setDecided((former) => new Set(former).add(id));
    // The one after it, else the first that is left.
    const following = left
      .slice(place + 1)
      .concat(left.slice(0, Math.max(place, 0)))
      .filter((one) => one.id !== id);
    go(following[0]?.id ?? DONE);
  };
  return (
    <Stack>
      <Row between>
        <Link
          to="/bundles/$bundleId"
          params={{ bundleId: bundle.id }}
          search={{ tab: 'tools' }}
          className={buttonClass()}
        >
          {toolsWords.back}
        </Link>
        {held.items.length > 1 && (
          <Row>
            {current && ofServer.length > 1 && ofServer.length < held.items.length && (
              <Button onClick={() => setApproving('server')}>{words.approveServer(ofServer.length)}</Button>
            )}
            <Button onClick={() => setApproving('all')}>{words.approveAll(held.items.length)}</Button>
          </Row>
        )}
      </Row>
      {held.hasMore && <Quiet>{words.more}</Quiet>}
      {held.error ? (
        <Problem error={held.error} onRetry={() => void held.refetch()} />
      ) : currentId !== undefined && toolId !== DONE ? (
        <ReviewTool
          key={currentId}
          bundle={bundle}
          toolId={currentId}
          place={place < 0 || !held.isRead ? undefined : [place + 1, left.length]}
          onDecided={() => next(currentId)}
        />
      ) : isListed && (!held.isRead || held.isFetching) ? (
        <Skeleton lines={8} />
      ) : (
        <Finished
          bundle={bundle}
          count={held.items.length}
          onAgain={() => {
            setDecided(new Set());
            go(FIRST);
          }}
        />
      )}
      <ApproveDialog
        bundle={bundle}
        tools={approving === 'server' ? ofServer : held.items}
        open={approving !== undefined}
        onClose={() => setApproving(undefined)}
        onDone={() => go(FIRST)}
      />
    </Stack>
  );
}

interface FinishedProps {
  bundle: Bundle;
  /** How many still wait. */
  count: number;
  onAgain: () => void;
}

const Finished = ({ bundle, count, onAgain }: FinishedProps) => (
  <Empty>
    <p role="status">{count === 0 ? words.none : words.stillHeld(count)}</p>
    <Row>
      {count > 0 && <Button onClick={onAgain}>{words.again}</Button>}
      <Link
        to="/bundles/$bundleId"
        params={{ bundleId: bundle.id }}
        search={{ tab: 'tools' }}
        className={buttonClass()}
      >
        {toolsWords.back}
      </Link>
    </Row>
  </Empty>
);
