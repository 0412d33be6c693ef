import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Domain } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy';
import { ConfirmDialog } from '../../../ui/dialog';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { When } from '../../../ui/when';
import styles from './provisioning.module.css';
import { words } from './words';

const text = words.domains;
const CHANGES = ['GET /v1/organisations/{org_id}/domains'] as const;

/** A domain with what proves it, and what to do about it. */
export function DomainLine({ orgId, domain }: { orgId: string; domain: Domain }) {
  const [isRemoving, setRemoving] = useState(false);
  const [showsRecord, setShowsRecord] = useState(false);
  const verify = useChange('POST /v1/organisations/{org_id}/domains/{domain_id}/verify', CHANGES);
  const name = shown(domain.domain);
  const path = { org_id: orgId, domain_id: domain.id };
  const isProved = domain.proved_at !== null;
  const needsRecord = !isProved && domain.vouched_at === null;
  return (
    <div className={styles.line}>
      <Stack gap="tight">
        <Row>
          <strong>
            <OtherText>{domain.domain}</OtherText>
          </strong>
          <StateBadge domain={domain} />
        </Row>
        <Quiet>
          {domain.proved_at !== null && (
            <>
              {text.provedAt} <When at={domain.proved_at} />
            </>
          )}
          {domain.proved_at === null && domain.checked_at !== null && (
            <>
              {text.checkedAt} <When at={domain.checked_at} />
            </>
          )}
        </Quiet>
        {needsRecord || showsRecord ? (
          <DomainRecord domain={domain} />
        ) : (
          <Row>
            <Button look="plain" onClick={() => setShowsRecord(true)}>
              {text.showRecord}
            </Button>
          </Row>
        )}
        {verify.error && <Problem error={verify.error} />}
      </Stack>
      <Row>
        <Button
          icon="refresh"
          busy={verify.isPending}
          aria-label={text.verifyOf(name)}
          onClick={() => verify.mutate({ path }, { onSuccess: () => notify(text.verified(name)) })}
        >
          {text.verify}
        </Button>
        <Button icon="trash" aria-label={text.removeOf(name)} onClick={() => setRemoving(true)}>
          {text.remove}
        </Button>
      </Row>
      {isRemoving && <RemoveDomain path={path} name={name} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function StateBadge({ domain: { proved_at: proved, vouched_at: vouched } }: { domain: Domain }) {
  if (proved === null && vouched === null) {
    return (
      <Badge tone="warn" icon="alert">
        {text.unproved}
      </Badge>
    );
  }
  return (
    <Badge tone="good" icon="check">
      {proved === null ? text.vouched : text.proved}
    </Badge>
  );
}

const DomainRecord = ({ domain: { record } }: { domain: Domain }) => (
  <Stack gap="tight">
    <span>{text.steps}</span>
    <dl className={styles.fields}>
      <dt>{text.record.type}</dt>
      <dd>
        <code>{record.type}</code>
      </dd>
      <dt>{text.record.name}</dt>
      <dd>
        <Row>
          <code>{record.name}</code>
          <CopyButton text={record.name} what={text.copyName} />
        </Row>
        <Quiet>{text.relative}</Quiet>
      </dd>
      <dt>{text.record.value}</dt>
      <dd>
        <Row>
          <code>{record.value}</code>
          <CopyButton text={record.value} what={text.copyValue} />
        </Row>
      </dd>
    </dl>
    <Quiet>{text.wait}</Quiet>
  </Stack>
);

interface RemoveDomainProps {
  path: { org_id: string; domain_id: string };
  name: string;
  onClose: () => void;
}

function RemoveDomain({ path, name, onClose }: RemoveDomainProps) {
  const remove = useChange('DELETE /v1/organisations/{org_id}/domains/{domain_id}', CHANGES);
  const confirm = () =>
    remove.mutate(
      { path },
      {
        onSuccess: () => {
          notify(text.removed(name));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.removeTitle(name)}
      action={text.remove}
      busy={remove.isPending}
      onConfirm={confirm}
    >
      <p>{text.removeHelp}</p>
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
