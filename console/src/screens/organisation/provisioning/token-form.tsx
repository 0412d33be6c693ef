import { type FormEvent, useRef } from 'react';
import { useChange } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { SelectInput, TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import { Row } from '../../../ui/layout';
import { expiryIn } from '../../../ui/lifetime';
import { Problem } from '../../../ui/problem';
import type { MadeToken } from './new-token';
import styles from './provisioning.module.css';
import { words } from './words';

const text = words.token;
const LIFETIMES = ['90', '365', '730', ''] as const;
const INITIAL: { name: string | null; lifetime: string } = { name: null, lifetime: '365' };

interface TokenFormProps {
  orgId: string;
  /** What is proposed. */
  name: string;
  onMade: (made: MadeToken) => void;
}

/** What a token is for, and until when. Only this is kept as a draft, never the token. */
export function TokenForm({ orgId, name, onMade }: TokenFormProps) {
  const [draft, setDraft, dropDraft] = useDraft(`scim-token.${orgId}.${name}`, INITIAL);
  const form = useRef<HTMLFormElement>(null);
  const create = useChange('POST /v1/organisations/{org_id}/scim/tokens', [
    'GET /v1/organisations/{org_id}/scim/tokens',
  ]);
  useFocusFirstInvalid(form, create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const body = { name: draft.name ?? name, expires_at: expiryIn(draft.lifetime) ?? null };
    create.mutate(
      { path: { org_id: orgId }, body },
      {
        onSuccess: ({ id, token }) => {
          dropDraft();
          onMade({ id, token });
        },
      },
    );
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <p>{text.help}</p>
      <TextInput
        label={text.name}
        hint={text.nameHint}
        value={draft.name ?? name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        error={create.error?.at('name')}
        maxLength={200}
        required
      />
      <SelectInput
        label={text.expires}
        value={draft.lifetime}
        onChange={(event) => setDraft({ ...draft, lifetime: event.target.value })}
        error={create.error?.at('expires_at')}
        options={LIFETIMES.map((days) => [days, text.lifetimes[days]] as const)}
      />
      {create.error && create.error.faults.length === 0 && <Problem error={create.error} />}
      <Row>
        <Button type="submit" look="primary" icon="key" busy={create.isPending}>
          {text.create}
        </Button>
      </Row>
    </form>
  );
}
