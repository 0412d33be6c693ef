import { type FormEvent, useRef, useState } from 'react';
import { useSignedIn } from '../../api/me';
import { useChange } from '../../api/queries';
import type { Scope } from '../../api/schema';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Checks } from '../../ui/checks';
import { CopyBlock } from '../../ui/copy';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { SelectInput, TextInput } from '../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../ui/focus-first';
import { Row } from '../../ui/layout';
import { expiryIn } from '../../ui/lifetime';
import styles from './account.module.css';
import { SensitiveProblem } from './sensitive-problem';
import { accountWords } from './words';

const words = accountWords.tokens;

const SCOPES = [
  'catalog:read',
  'bundles:read',
  'bundles:write',
  'organisations:read',
  'organisations:admin',
  'webhooks:read',
  'webhooks:write',
  'platform:admin',
] as const satisfies Scope[];
const LIFETIMES = ['7', '30', '90', '365'] as const;

interface Draft {
  name: string;
  scopes: Scope[];
  lifetime: string;
}

const INITIAL: Draft = { name: '', scopes: ['catalog:read', 'bundles:read'], lifetime: '90' };

/** Asks what a token is for, and shows it once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const create = useChange('POST /v1/users/me/access-tokens', ['GET /v1/users/me/access-tokens']);
  if (create.data === undefined) {
    return (
      <Dialog open onClose={onClose} title={words.title}>
        <TokenForm create={create} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.made}>
      <p>{words.once}</p>
      <CopyBlock text={create.data.token} what={words.what} />
      <Row>
        <Button onClick={onClose}>{words.done}</Button>
      </Row>
    </Dialog>
  );
}

interface TokenFormProps {
  create: ReturnType<typeof useChange<'POST /v1/users/me/access-tokens'>>;
  onClose: () => void;
}

function TokenForm({ create, onClose }: TokenFormProps) {
  const me = useSignedIn();
  const [draft, setDraft, dropDraft] = useDraft('access-token', INITIAL);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, create.error);
  const problem = create.error;
  const atField = ['name', 'scopes', 'expires_at'].some((field) => problem?.at(field));
  const isEmpty = draft.scopes.length === 0;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (create.isPending) return;
    if (isEmpty) {
      // The boxes are marked after the next rendering.
      requestAnimationFrame(() => focusFirstInvalid(form.current));
      return;
    }
    const body = { name: draft.name, scopes: draft.scopes, expires_at: expiryIn(draft.lifetime) };
    create.mutate({ body }, { onSuccess: dropDraft });
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.form}>
      <TextInput
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        error={problem?.at('name')}
        maxLength={200}
        required
      />
      <Checks
        legend={words.scopes}
        values={draft.scopes}
        onChange={(scopes) => setDraft({ ...draft, scopes })}
        error={isChecked && isEmpty ? words.needsScope : problem?.at('scopes')}
        options={SCOPES.filter((scope) => scope !== 'platform:admin' || me.is_platform_admin).map(
          (scope) => [scope, accountWords.scopes[scope]] as const,
        )}
      />
      <SelectInput
        label={words.expires}
        value={draft.lifetime}
        onChange={(event) => setDraft({ ...draft, lifetime: event.target.value })}
        error={problem?.at('expires_at')}
        options={LIFETIMES.map((days) => [days, words.lifetimes[days]] as const)}
      />
      {problem && !atField && <SensitiveProblem error={problem} />}
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
  );
}
