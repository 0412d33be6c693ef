import { type FormEvent, useRef } from 'react';
import { useChange, useList } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import { Quiet, Stack } from '../../../ui/layout';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { DomainLine } from './domain-line';
import styles from './provisioning.module.css';
import { words } from './words';

const text = words.domains;

/** The domains of the organisation: people with an address in one of them need not accept. */
export function Domains({ orgId }: { orgId: string }) {
  const list = useList('GET /v1/organisations/{org_id}/domains', { path: { org_id: orgId }, query: { limit: 50 } });
  return (
    <Stack>
      <Quiet>{text.help}</Quiet>
      <AddDomain orgId={orgId} />
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(domain) => <DomainLine orgId={orgId} domain={domain} />}
        height={120}
        empty={
          <Empty>
            <p>{text.none}</p>
            <p>{text.noneHelp}</p>
          </Empty>
        }
      />
    </Stack>
  );
}

function AddDomain({ orgId }: { orgId: string }) {
  const [domain, setDomain, dropDomain] = useDraft(`domain.${orgId}`, '');
  const form = useRef<HTMLFormElement>(null);
  const add = useChange('POST /v1/organisations/{org_id}/domains', ['GET /v1/organisations/{org_id}/domains']);
  useFocusFirstInvalid(form, add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    add.mutate({ path: { org_id: orgId }, body: { domain: domain.trim() } }, { onSuccess: dropDomain });
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <div className={styles.addDomain}>
        <TextInput
          label={text.domain}
          hint={text.domainHint}
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          error={add.error?.at('domain')}
          maxLength={253}
          inputMode="url"
          required
        />
        <Button type="submit" icon="plus" busy={add.isPending}>
          {text.add}
        </Button>
      </div>
      {add.error && add.error.faults.length === 0 && <Problem error={add.error} />}
    </form>
  );
}
