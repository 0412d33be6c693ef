import { useChange } from '../../../api/queries';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { shown } from '../../../ui/other-text';
import { CLIENT_CHANGES } from './client-changes';
import { creation, NEW_CLIENT } from './client-draft';
import { ClientForm } from './client-form';
import { SecretShown } from './secret-shown';
import { words } from './words';

/** Creates a client, and shows its secret once. */
export function CreateClient({ onClose }: { onClose: () => void }) {
  const create = useChange('POST /v1/oauth-clients', CLIENT_CHANGES);
  const [draft, setDraft, dropDraft] = useDraft('oauth-client', NEW_CLIENT);
  if (create.data) {
    const title = words.secretShown.created(shown(create.data.name));
    return <SecretShown title={title} client={create.data} onClose={onClose} />;
  }
  return (
    <Dialog open onClose={onClose} title={words.form.createTitle}>
      <ClientForm
        draft={draft}
        onChange={setDraft}
        isNew
        action={words.form.submitCreate}
        problem={create.error}
        busy={create.isPending}
        onSubmit={() => create.mutate({ body: creation(draft) }, { onSuccess: dropDraft })}
        onClose={onClose}
      />
    </Dialog>
  );
}
