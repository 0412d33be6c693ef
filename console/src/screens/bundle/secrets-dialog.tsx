import { type FormEvent, useRef, useState } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle, CredentialNeed } from '../../api/schema';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextInput } from '../../ui/field';
import { useFocusFirstInvalid } from '../../ui/focus-first';
import { Quiet, Row } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import styles from './bundle.module.css';
import { askedSecrets, AUTHORIZATION, type NeedOwner } from './need-actions';
import { bundleWords } from './words';

const words = bundleWords.need;

const NEEDS = ['GET /v1/bundles/{bundle_id}/credential-needs'] as const;

interface SecretsDialogProps {
  bundle: Bundle;
  need: CredentialNeed;
  owner: NeedOwner;
  onClose: () => void;
}

/** Takes the secrets of a server. They are kept nowhere but in the form, and forgotten with it. */
export function SecretsDialog({ bundle, need, owner, onClose }: SecretsDialogProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [isEmpty, setEmpty] = useState(false);
  const give = useChange('POST /v1/credentials', NEEDS);
  const change = useChange('PATCH /v1/credentials/{credential_id}', NEEDS);
  const form = useRef<HTMLFormElement>(null);
  const credential = owner === 'PERSON' ? need.personal : need.shared;
  const asked = askedSecrets(need, owner);
  const { error } = credential ? change : give;
  useFocusFirstInvalid(form, error);

  const done = () => {
    notify(words.saved);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (give.isPending || change.isPending) return;
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    setEmpty(Object.keys(given).length === 0);
    if (Object.keys(given).length === 0) return;
    if (credential?.id) {
      change.mutate({ path: { credential_id: credential.id }, body: { values: given } }, { onSuccess: done });
      return;
    }
    const body = {
      kind: 'SECRETS' as const,
      bundle_id: bundle.id,
      entry_id: need.entry_id,
      is_personal: owner === 'PERSON',
      values: given,
    };
    give.mutate({ body }, { onSuccess: done });
  };

  return (
    <Dialog open onClose={onClose} title={words.formTitle(shown(need.key))}>
      <form ref={form} onSubmit={submit} className={styles.figures}>
        {need.origin !== null && <Quiet>{words.sentTo(shown(need.origin))}</Quiet>}
        {asked.map(({ name, description, isRequired, isSet }) => (
          <TextInput
            key={name}
            label={shown(name)}
            hint={isSet ? words.unchanged : description === null ? hintOf(name) : shown(description)}
            type="password"
            autoComplete="off"
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            error={error?.at(`values.${name}`)}
            maxLength={8_192}
            required={isRequired}
          />
        ))}
        {isEmpty && <p role="alert">{words.nothing}</p>}
        {error && !asked.some(({ name }) => error.at(`values.${name}`)) && <Problem error={error} />}
        <Row>
          <Button type="submit" look="primary" busy={give.isPending || change.isPending}>
            {words.save}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </form>
    </Dialog>
  );
}

const hintOf = (name: string): string | undefined => (name === AUTHORIZATION ? words.authorization : undefined);
