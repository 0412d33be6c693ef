import { useChange, useRead } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { notify } from '../../../ui/toasts';
import { importWords as words } from './words';

/** Starts the scheduled import, where there is one and it is not running. */
export function StartImport() {
  const { data } = useRead('GET /v1/mcp/imports/overview', {});
  const start = useChange('POST /v1/mcp/imports', ['GET /v1/mcp/imports/overview', 'GET /v1/mcp/imports']);
  const scheduled = data?.sources.find(({ is_scheduled }) => is_scheduled);
  if (!data?.scheduled_source || scheduled?.is_running) return null;
  return (
    <Button
      look="primary"
      icon="download"
      busy={start.isPending}
      onClick={() =>
        start.mutate({}, { onSuccess: () => notify(words.started), onError: ({ message }) => notify(message, 'bad') })
      }
    >
      {words.start}
    </Button>
  );
}
