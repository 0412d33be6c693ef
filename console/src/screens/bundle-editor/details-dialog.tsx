import { type FormEvent, useRef } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { TextArea, TextInput } from '../../ui/field';
import { useFocusFirstInvalid } from '../../ui/focus-first';
import { Stack } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { editorWords } from './words';

const words = editorWords.details;

/** The name, the description and the visibility of a bundle. */
export function DetailsDialog({ bundle, onClose }: { bundle: Bundle; onClose: () => void }) {
  const { name, description, visibility } = bundle;
  const [draft, keep, drop] = useDraft(`bundle-details.${bundle.id}`, { name, description, visibility });
  const change = useChange('PATCH /v1/bundles/{bundle_id}', ['GET /v1/bundles/{bundle_id}', 'GET /v1/bundles']);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(
      { path: { bundle_id: bundle.id }, body: draft },
      {
        onSuccess: () => {
          drop();
          notify(words.saved);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      title={words.title}
      onClose={() => {
        drop();
        onClose();
      }}
    >
      <form ref={form} onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            required
            maxLength={200}
            error={change.error?.at('name')}
            value={draft.name}
            onChange={(event) => keep({ ...draft, name: event.target.value })}
          />
          <TextArea
            label={words.description}
            maxLength={2000}
            rows={4}
            error={change.error?.at('description')}
            value={draft.description}
            onChange={(event) => keep({ ...draft, description: event.target.value })}
          />
          <Choice
            legend={words.visibility}
            value={draft.visibility}
            options={[
              ['PRIVATE', words.visibilities.PRIVATE],
              ['PUBLIC', words.visibilities.PUBLIC],
            ]}
            onChange={(next) => keep({ ...draft, visibility: next })}
          />
          {change.error && <Problem error={change.error} />}
          <Button type="submit" look="primary" busy={change.isPending}>
            {words.save}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
