import { useNavigate } from '@tanstack/react-router';
import { useChange, useRead } from '../../api/queries';
import type { Bundle, BundleDeletionPreview } from '../../api/schema';
import { ConfirmDialog } from '../../ui/dialog';
import { shown } from '../../ui/other-text';
import { Loaded, Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { goesWith, isMuch } from './deletion';
import { bundleWords } from './words';

const words = bundleWords.delete;

/** Says what goes with a bundle, and deletes it. */
export function DeleteBundle({ bundle, onClose }: { bundle: Bundle; onClose: () => void }) {
  const navigate = useNavigate();
  const path = { bundle_id: bundle.id };
  const preview = useRead('GET /v1/bundles/{bundle_id}/deletion-preview', { path });
  const remove = useChange('DELETE /v1/bundles/{bundle_id}', ['GET /v1/bundles']);
  const confirm = () =>
    remove.mutate(
      { path },
      {
        onSuccess: () => {
          notify(words.deleted(shown(bundle.name)));
          void navigate({ to: '/bundles' });
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title}
      action={words.confirm}
      onConfirm={confirm}
      busy={remove.isPending || !preview.data}
      typed={preview.data && isMuch(preview.data) ? shown(bundle.name) : undefined}
    >
      <Loaded read={preview}>{(counts) => <Consequences counts={counts} />}</Loaded>
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}

function Consequences({ counts }: { counts: BundleDeletionPreview }) {
  return (
    <>
      <p>{words.help}</p>
      <ul>
        {goesWith(counts).map(([what, count]) => (
          <li key={what}>{words[what](count)}</li>
        ))}
      </ul>
      {counts.is_endpoint_enabled && <p>{words.endpoint}</p>}
      {counts.endpoint_user_count > 0 && <p>{words.users(counts.endpoint_user_count)}</p>}
    </>
  );
}
