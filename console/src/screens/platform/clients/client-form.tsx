import { type FormEvent, useRef, useState } from 'react';
import type { ApiProblem } from '../../../api/problem';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Checks } from '../../../ui/checks';
import { Choice } from '../../../ui/choice';
import { SelectInput, TextArea, TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import layout from '../../../ui/layout.module.css';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { accountWords } from '../../account/words';
import { type ClientDraft, GRANTS, METHODS, SCOPES } from './client-draft';
import { words } from './words';

const text = words.form;

const FIELDS = [
  'name',
  'redirect_uris',
  'grant_types',
  'token_endpoint_auth_method',
  'scope',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'jwks_uri',
] as const;

interface Props {
  draft: ClientDraft;
  onChange: (draft: ClientDraft) => void;
  /** How it gets access can be chosen only when it is created. */
  isNew: boolean;
  action: string;
  problem: ApiProblem | null;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

/** What a client is called, where it sends people, and what it may ask for. */
export function ClientForm({ draft, onChange, isNew, action, problem, busy, onSubmit, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setChecked] = useState(false);
  useFocusFirstInvalid(form, problem);
  const isWithoutGrant = isNew && draft.grants.length === 0;
  const isWithoutScope = isNew && draft.isLimited && draft.scopes.length === 0;
  const at = (field: (typeof FIELDS)[number]) => faultAt(problem, field);
  const change = (changed: Partial<ClientDraft>) => onChange({ ...draft, ...changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (busy) return;
    // The boxes are marked after the next rendering.
    if (isWithoutGrant || isWithoutScope) requestAnimationFrame(() => focusFirstInvalid(form.current));
    else onSubmit();
  };
  const usesPeople = !isNew || draft.grants.includes('authorization_code');
  return (
    <form ref={form} className={layout.stack} onSubmit={submit} noValidate>
      <TextInput
        label={text.name}
        hint={text.nameHint}
        value={draft.name}
        maxLength={200}
        required
        error={at('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      {isNew && (
        <>
          <Checks
            legend={text.grants}
            values={draft.grants}
            onChange={(grants) => change({ grants })}
            error={isChecked && isWithoutGrant ? text.needsGrant : at('grant_types')}
            options={GRANTS.map((grant) => [grant, words.grants[grant]] as const)}
          />
          <SelectInput
            label={text.auth}
            value={draft.method}
            error={at('token_endpoint_auth_method')}
            onChange={(event) =>
              change({ method: METHODS.find((method) => method === event.target.value) ?? draft.method })
            }
            options={METHODS.map((method) => [method, words.methods[method]] as const)}
          />
        </>
      )}
      {usesPeople && (
        <TextArea
          label={text.redirects}
          hint={text.redirectsHint}
          value={draft.redirects}
          required
          error={at('redirect_uris')}
          onChange={(event) => change({ redirects: event.target.value })}
        />
      )}
      <Choice
        legend={text.scopes}
        value={draft.isLimited ? 'some' : 'all'}
        onChange={(limit) => change({ isLimited: limit === 'some' })}
        options={[
          ['all', text.allScopes],
          ['some', text.someScopes],
        ]}
      />
      {draft.isLimited && (
        <Checks
          legend={text.someScopes}
          values={draft.scopes}
          onChange={(scopes) => change({ scopes })}
          error={isChecked && isWithoutScope ? text.needsScope : at('scope')}
          options={SCOPES.map((scope) => [scope, accountWords.scopes[scope]] as const)}
        />
      )}
      {(draft.method === 'private_key_jwt' || draft.jwks !== '') && (
        <TextInput
          label={text.jwks}
          hint={text.jwksHint}
          type="url"
          value={draft.jwks}
          maxLength={2_000}
          required={draft.method === 'private_key_jwt'}
          error={at('jwks_uri')}
          onChange={(event) => change({ jwks: event.target.value })}
        />
      )}
      {usesPeople && (
        <>
          <TextArea
            label={text.logout}
            hint={text.logoutHint}
            value={draft.logouts}
            error={at('post_logout_redirect_uris')}
            onChange={(event) => change({ logouts: event.target.value })}
          />
          <TextInput
            label={text.backchannel}
            type="url"
            value={draft.backchannel}
            maxLength={2_000}
            error={at('backchannel_logout_uri')}
            onChange={(event) => change({ backchannel: event.target.value })}
          />
          <Checks
            legend={text.trust}
            values={draft.isTrusted ? ['trusted'] : []}
            onChange={(values) => change({ isTrusted: values.length > 0 })}
            options={[['trusted', text.trusted]]}
          />
        </>
      )}
      {problem && !FIELDS.some(at) && <Problem error={problem} />}
      <Row>
        <Button type="submit" look="primary" busy={busy} disabled={draft.name.trim() === ''}>
          {action}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </form>
  );
}

/** Also a fault of one address of a list is one of its field here. */
function faultAt(problem: ApiProblem | null, field: string): string | undefined {
  return problem?.faults.find(({ loc }) => loc[0] === 'body' && loc[1] === field)?.msg;
}
