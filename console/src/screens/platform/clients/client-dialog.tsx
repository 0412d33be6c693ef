import type { OAuthClient } from '../../../api/schema';
import { useChange } from '../../../api/queries';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { Consequences } from '../consequences';
import { CLIENT_CHANGES } from './client-changes';
import { changes, draftOf, hasSecrets } from './client-draft';
import { ClientForm } from './client-form';
import { RotateDialog } from './rotate-dialog';
import { words } from './words';

/** What can be done with a client, as it is in the address. */
export const DEEDS = ['edit', 'rotate', 'delete'] as const;
export type Deed = (typeof DEEDS)[number];

export interface ClientDialogProps {
  client: OAuthClient;
  onClose: () => void;
}

/** Changes, rotates or deletes a client. */
export function ClientDialog({ deed, ...props }: ClientDialogProps & { deed: Deed }) {
  if (deed === 'edit') return <EditDialog {...props} />;
  if (deed === 'delete') return <DeleteDialog {...props} />;
  return hasSecrets(props.client) ? <RotateDialog {...props} /> : null;
}

function EditDialog({ client, onClose }: ClientDialogProps) {
  const update = useChange('PATCH /v1/oauth-clients/{client_id}', CLIENT_CHANGES);
  const [draft, setDraft, dropDraft] = useDraft(`oauth-client.${client.id}`, draftOf(client));
  const name = shown(client.name);
  const save = () =>
    update.mutate(
      { path: { client_id: client.id }, body: changes(client, draft) },
      {
        onSuccess: () => {
          dropDraft();
          notify(words.form.saved(name));
          onClose();
        },
      },
    );
  const close = () => {
    dropDraft();
    onClose();
  };
  return (
    <Dialog open onClose={close} title={words.form.editTitle(name)}>
      <ClientForm
        draft={draft}
        onChange={setDraft}
        isNew={false}
        action={words.form.submitEdit}
        problem={update.error}
        busy={update.isPending}
        onSubmit={save}
        onClose={close}
      />
    </Dialog>
  );
}

function DeleteDialog({ client, onClose }: ClientDialogProps) {
  const remove = useChange('DELETE /v1/oauth-clients/{client_id}', ['GET /v1/oauth-clients']);
  const name = shown(client.name);
  const confirm = () =>
    remove.mutate(
      { path: { client_id: client.id } },
      {
        onSuccess: () => {
          notify(words.remove.done(name));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.remove.title(name)}
      action={words.remove.action}
      busy={remove.isPending}
      onConfirm={confirm}
    >
      <Consequences label={words.follows} items={words.remove.follows} />
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
