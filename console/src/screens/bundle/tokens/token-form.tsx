import { type FormEvent, useRef } from 'react';
import type { useChange } from '../../../api/queries';
import type { Bundle, BundleTokenScope } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { SelectInput, TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import { Row } from '../../../ui/layout';
import { expiryIn } from '../../../ui/lifetime';
import { Problem } from '../../../ui/problem';
import styles from '../bundle.module.css';
import { bundleWords } from '../words';

const words = bundleWords.token;

const LIFETIMES = ['7', '30', '90', '365', ''] as const;
const SCOPES = { call: ['read', 'call'], read: ['read'] } satisfies Record<string, BundleTokenScope[]>;

interface TokenFormProps {
  bundle: Bundle;
  create: ReturnType<typeof useChange<'POST /v1/bundles/{bundle_id}/access-tokens'>>;
  onCreated: (token: string) => void;
  onClose: () => void;
}

const INITIAL = { name: '', scopes: 'call', lifetime: '90' };

/** What an access token of a bundle is for, what it can do, and until when. */
export function TokenForm({ bundle, create, onCreated, onClose }: TokenFormProps) {
  const [draft, setDraft, dropDraft] = useDraft(`bundle-token.${bundle.id}`, INITIAL);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const scopes = draft.scopes === 'call' ? SCOPES.call : SCOPES.read;
    const body = { name: draft.name, scopes, expires_at: expiryIn(draft.lifetime) ?? null };
    create.mutate(
      { path: { bundle_id: bundle.id }, body },
      {
        onSuccess: ({ token }) => {
          dropDraft();
          onCreated(token);
        },
      },
    );
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.figures}>
      <div className={styles.filters}>
        <TextInput
          label={words.name}
          hint={words.nameHint}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          error={create.error?.at('name')}
          maxLength={200}
          required
        />
        <SelectInput
          label={words.scopes}
          value={draft.scopes}
          onChange={(event) => setDraft({ ...draft, scopes: event.target.value })}
          error={create.error?.at('scopes')}
          options={[
            ['call', words.readAndCall],
            ['read', words.readOnly],
          ]}
        />
        <SelectInput
          label={words.expires}
          value={draft.lifetime}
          onChange={(event) => setDraft({ ...draft, lifetime: event.target.value })}
          error={create.error?.at('expires_at')}
          options={LIFETIMES.map((days) => [days, words.lifetimes[days]] as const)}
        />
      </div>
      {create.error && create.error.faults.length === 0 && <Problem error={create.error} />}
      <Row>
        <Button type="submit" look="primary" icon="key" busy={create.isPending}>
          {words.create}
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
