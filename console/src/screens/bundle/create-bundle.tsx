import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { useSignedIn } from '../../api/me';
import { useChange } from '../../api/queries';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { SelectInput, TextArea, TextInput } from '../../ui/field';
import { useFocusFirstInvalid } from '../../ui/focus-first';
import { Row } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import styles from './bundle.module.css';
import { bundleWords } from './words';

const words = bundleWords.create;

const INITIAL = { name: '', description: '', org: '', visibility: 'PRIVATE' };

/** Asks for what a new bundle needs, and goes to it. */
export function CreateBundle({ onClose }: { onClose: () => void }) {
  const me = useSignedIn();
  const navigate = useNavigate();
  const [draft, setDraft, dropDraft] = useDraft('bundle.create', INITIAL);
  const create = useChange('POST /v1/bundles', ['GET /v1/bundles']);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, create.error);
  const organisations = me.organisations.filter(({ role, suspended }) => role !== null && !suspended);
  const org = organisations.find(({ org_id }) => org_id === draft.org)?.org_id;
  const problem = create.error;
  const atField = ['name', 'slug', 'description', 'org_id', 'visibility'].some((field) => problem?.at(field));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const body = {
      name: draft.name,
      description: draft.description,
      org_id: org ?? null,
      visibility: draft.visibility === 'PUBLIC' ? ('PUBLIC' as const) : ('PRIVATE' as const),
    };
    create.mutate(
      { body },
      {
        onSuccess: ({ id, name }) => {
          dropDraft();
          notify(words.created(shown(name)));
          void navigate({ to: '/bundles/$bundleId', params: { bundleId: id } });
        },
      },
    );
  };

  return (
    <Dialog open onClose={onClose} title={words.title}>
      <form ref={form} onSubmit={submit} className={styles.figures}>
        <TextInput
          label={words.name}
          hint={words.nameHint}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          error={problem?.at('name') ?? problem?.at('slug')}
          maxLength={200}
          required
        />
        <TextArea
          label={words.description}
          hint={words.descriptionHint}
          value={draft.description}
          onChange={(event) => setDraft({ ...draft, description: event.target.value })}
          error={problem?.at('description')}
          maxLength={2_000}
        />
        {organisations.length > 0 && (
          <SelectInput
            label={words.owner}
            value={org ?? ''}
            onChange={(event) => setDraft({ ...draft, org: event.target.value })}
            error={problem?.at('org_id')}
            options={[['', words.personal], ...organisations.map(({ org_id, name }) => [org_id, shown(name)] as const)]}
          />
        )}
        <SelectInput
          label={words.visibility}
          value={draft.visibility}
          onChange={(event) => setDraft({ ...draft, visibility: event.target.value })}
          error={problem?.at('visibility')}
          options={[
            ['PRIVATE', org === undefined ? words.private : words.privateOfOrganisation],
            ['PUBLIC', words.public],
          ]}
        />
        {problem && !atField && <Problem error={problem} />}
        <Row>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.submit}
          </Button>
          <Button
            onClick={() => {
              dropDraft();
              onClose();
            }}
          >
            {t.ui.cancel}
          </Button>
        </Row>
      </form>
    </Dialog>
  );
}
