import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle, BundleTokenScope } from '../../api/schema';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { CopyBlock } from '../../ui/copy';
import { useDraft } from '../../ui/draft';
import { SelectInput, TextInput } from '../../ui/field';
import { useFocusFirstInvalid } from '../../ui/focus-first';
import { expiryIn } from '../../ui/lifetime';
import { Row } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import styles from './bundle.module.css';
import { bundleWords } from './words';

const words = bundleWords.token;

const LIFETIMES = ['7', '30', '90', '365', ''] as const;
const SCOPES = { call: ['read', 'call'], read: ['read'] } satisfies Record<string, BundleTokenScope[]>;

/** Creates an access token of a bundle beside the settings that need it, and shows it once. */
export function BundleToken({ bundle }: { bundle: Bundle }) {
  const create = useChange('POST /v1/bundles/{bundle_id}/access-tokens', ['GET /v1/bundles/{bundle_id}/access-tokens']);
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  const token = create.data?.token;
  // What had the focus goes with the form.
  useEffect(() => {
    if (token !== undefined) section.current?.focus();
  }, [token]);
  return (
    <section ref={section} tabIndex={-1} className={styles.part} aria-labelledby="bundle-token">
      <h2 id="bundle-token">{token === undefined ? words.title : words.created}</h2>
      {token !== undefined && (
        <div role="status" className={styles.figures}>
          <p>{words.once}</p>
          <CopyBlock text={token} what={words.what} />
          <Row>
            <Button
              onClick={() => {
                create.reset();
                setOpen(false);
                section.current?.focus();
              }}
            >
              {words.done}
            </Button>
          </Row>
        </div>
      )}
      {token === undefined && <p>{words.help}</p>}
      {token === undefined && !bundle.may_modify && <p>{words.others}</p>}
      {token === undefined && bundle.may_modify && !isOpen && (
        <Row>
          <Button icon="key" onClick={() => setOpen(true)}>
            {words.create}
          </Button>
        </Row>
      )}
      {token === undefined && isOpen && <TokenForm bundle={bundle} create={create} onClose={() => setOpen(false)} />}
    </section>
  );
}

interface TokenFormProps {
  bundle: Bundle;
  create: ReturnType<typeof useChange<'POST /v1/bundles/{bundle_id}/access-tokens'>>;
  onClose: () => void;
}

const INITIAL = { name: '', scopes: 'call', lifetime: '90' };

function TokenForm({ bundle, create, onClose }: TokenFormProps) {
  const [draft, setDraft, dropDraft] = useDraft(`bundle-token.${bundle.id}`, INITIAL);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const scopes = draft.scopes === 'call' ? SCOPES.call : SCOPES.read;
    const body = { name: draft.name, scopes, expires_at: expiryIn(draft.lifetime) ?? null };
    create.mutate({ path: { bundle_id: bundle.id }, body }, { onSuccess: dropDraft });
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
        <Button type="submit" icon="key" busy={create.isPending}>
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
