import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/queries';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { notify } from '../../../ui/toasts';
import { PreviewedForm } from './previewed-form';
import { ROLE_READS } from './role-reads';
import { rolesWords } from './words';

const words = rolesWords.runs;
const READS = ['GET /v1/organisations/{org_id}/scim/sync-runs', ...ROLE_READS] as const;
/** Nothing is proposed: what would a sync do now? */
const AS_IT_IS = {};

/** Looks at everyone in the directory again, after a look at what that would change. */
export function SyncDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const navigate = useNavigate({ from: '/organisations/$orgId/roles' });
  const sync = useChange('POST /v1/organisations/{org_id}/scim/sync', READS);
  const start = () =>
    sync.mutate(
      { path: { org_id: orgId } },
      {
        onSuccess: () => {
          notify(words.done);
          onClose();
          void navigate({ search: { tab: 'runs' } });
        },
      },
    );
  return (
    <Dialog open wide onClose={onClose} title={words.startTitle}>
      <PreviewedForm
        orgId={orgId}
        proposal={AS_IT_IS}
        action={words.start}
        busy={sync.isPending}
        error={sync.error}
        onSave={start}
        aside={<Button onClick={onClose}>{t.ui.cancel}</Button>}
      >
        <p>{words.startHelp}</p>
      </PreviewedForm>
    </Dialog>
  );
}
