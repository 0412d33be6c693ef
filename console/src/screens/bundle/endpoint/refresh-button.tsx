import { useChange } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { isUnderWay } from './problem-mends';
import { endpointWords } from './words';

const words = endpointWords.servers;

interface RefreshButtonProps {
  bundleId: string;
  /** What the button says; by default that the servers are asked again. */
  text?: string;
  label?: string;
}

/** Asks the servers again what they offer. What takes longer goes on without the page. */
export function RefreshButton({ bundleId, text = words.refresh, label }: RefreshButtonProps) {
  const refresh = useChange('POST /v1/bundles/{bundle_id}/endpoint/refresh', [
    'GET /v1/bundles/{bundle_id}/endpoint/status',
    'POST /v1/bundles/{bundle_id}/compile',
    'GET /v1/bundles/{bundle_id}/tools',
  ]);
  const ask = () =>
    refresh.mutate(
      { path: { bundle_id: bundleId } },
      {
        onSuccess: ({ entries }) => {
          const without = entries.filter(({ state }) => state !== 'READY').length;
          if (isUnderWay(entries)) notify(words.goesOn);
          else if (without > 0) notify(words.refreshedSome(without, entries.length), 'bad');
          else notify(words.refreshed);
        },
      },
    );
  return (
    <>
      <Button
        icon="refresh"
        busy={refresh.isPending}
        onClick={ask}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {refresh.isPending ? words.refreshing : text}
      </Button>
      {refresh.error && <Problem error={refresh.error} />}
    </>
  );
}
