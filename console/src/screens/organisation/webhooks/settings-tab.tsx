import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookEndpointDetail } from '../../../api/schema';
import { date } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy';
import { ConfirmDialog } from '../../../ui/dialog';
import { Facts, Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { ChangeEndpoint } from './change-endpoint';
import { ENDPOINT_READS } from './endpoint-route';
import type { EndpointPart } from './endpoint-screen';
import { nameOf } from './endpoint-state';
import { RotateSecret } from './rotate-secret';
import { useSwitch } from './use-switch';
import { endpointWords, settingsWords } from './words';
import styles from './webhooks.module.css';

const words = settingsWords.settings;

/** What can be changed about an endpoint, each with what follows. */
export default function SettingsTab({ orgId, endpoint }: EndpointPart) {
  return (
    <div className={styles.narrow}>
      <Stack gap="wide">
        <Section title={words.change}>
          <ChangeEndpoint key={endpoint.updated_at} orgId={orgId} endpoint={endpoint} />
        </Section>
        <RotateSecret endpointId={endpoint.id} />
        <Switch endpoint={endpoint} />
        <Section title={words.facts}>
          <Facts
            facts={[
              [words.made, date(endpoint.created_at)],
              [words.changed, date(endpoint.updated_at)],
              [
                words.id,
                <Row key="id">
                  <code>{endpoint.id}</code>
                  <CopyButton text={endpoint.id} what={endpointWords.inspector.whatId} />
                </Row>,
              ],
            ]}
          />
        </Section>
        <Remove orgId={orgId} endpoint={endpoint} />
      </Stack>
    </div>
  );
}

function Switch({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const [isAsking, setAsking] = useState(false);
  const { turn, isPending, error } = useSwitch(endpoint.id);
  if (!endpoint.is_active) {
    return (
      <Section title={words.switch}>
        <Quiet>{words.switchOnHelp}</Quiet>
        {error && <Problem error={error} />}
        <div>
          <Button icon="play" busy={isPending} onClick={() => turn(true)}>
            {endpointWords.switchOn}
          </Button>
        </div>
      </Section>
    );
  }
  return (
    <Section title={words.switch}>
      <Quiet>{words.switchOffHelp}</Quiet>
      <div>
        <Button icon="pause" onClick={() => setAsking(true)}>
          {words.switchOff}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.switchOffTitle}
        action={words.switchOff}
        onConfirm={() => turn(false, () => setAsking(false))}
        busy={isPending}
      >
        <p>{words.switchOffHelp}</p>
        {error && <Problem error={error} />}
      </ConfirmDialog>
    </Section>
  );
}

function Remove({ orgId, endpoint }: EndpointPart) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useChange('DELETE /v1/webhooks/{endpoint_id}', ENDPOINT_READS.slice(0, 2));
  const confirm = () =>
    remove.mutate(
      { path: { endpoint_id: endpoint.id } },
      {
        onSuccess: () => {
          notify(words.removed);
          void navigate({ to: '/organisations/$orgId/webhooks', params: { orgId } });
        },
      },
    );
  return (
    <Section title={words.remove}>
      <Quiet>{words.removeHelp}</Quiet>
      <div>
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          {words.removeButton}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.removeTitle}
        action={words.removeButton}
        onConfirm={confirm}
        busy={remove.isPending}
        typed={new URL(endpoint.target_url).host}
      >
        <p>
          <strong>{nameOf(endpoint.target_url)}</strong>
        </p>
        <p>{words.removeHelp}</p>
        <p>{words.waiting}</p>
        {remove.error && <Problem error={remove.error} />}
      </ConfirmDialog>
    </Section>
  );
}
