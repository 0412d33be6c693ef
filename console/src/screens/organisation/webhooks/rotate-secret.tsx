import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookSecretRotated } from '../../../api/schema';
import { t, date } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { SelectInput } from '../../../ui/field';
import { Quiet, Row, Section } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { settingsWords } from './words';

const words = settingsWords.settings;
const GRACES = ['86400', '3600', '259200', '604800', '0'] as const;
type Grace = (typeof GRACES)[number];

/** Replaces the secret. It says until when both sign, before and afterwards. */
export function RotateSecret({ endpointId }: { endpointId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.rotate}>
      <Quiet>{words.rotateHelp}</Quiet>
      <div>
        <Button icon="key" onClick={() => setOpen(true)}>
          {words.rotateButton}
        </Button>
      </div>
      {isOpen && <Rotation endpointId={endpointId} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Rotation({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [grace, setGrace] = useState<Grace>('86400');
  const [now] = useState(() => Date.now());
  const [rotated, setRotated] = useState<WebhookSecretRotated>();
  // Nothing else of the endpoint changes: to read it again would close this window.
  const rotate = useChange('POST /v1/webhooks/{endpoint_id}/rotate-secret', []);
  if (rotated) return <Rotated rotated={rotated} onClose={onClose} />;
  const until = date(new Date(now + Number(grace) * 1_000).toISOString());
  return (
    <Dialog open onClose={onClose} title={words.rotateTitle}>
      <SelectInput
        label={words.grace}
        value={grace}
        onChange={(event) => setGrace(GRACES.find((one) => one === event.target.value) ?? '86400')}
        options={GRACES.map((one) => [one, words.graces[one]] as const)}
      />
      <p role="status">{grace === '0' ? words.graceNone : words.graceUntil(until)}</p>
      {rotate.error && <Problem error={rotate.error} />}
      <Row>
        <Button
          look={grace === '0' ? 'danger' : 'primary'}
          icon="key"
          busy={rotate.isPending}
          onClick={() =>
            rotate.mutate(
              { path: { endpoint_id: endpointId }, body: { grace_seconds: Number(grace) } },
              { onSuccess: setRotated },
            )
          }
        >
          {words.rotateButton}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}

function Rotated({ rotated, onClose }: { rotated: WebhookSecretRotated; onClose: () => void }) {
  const { secret, former_secrets_expire_at: until } = rotated;
  return (
    <Dialog open onClose={onClose} title={words.rotated}>
      <p>{words.rotatedOnce}</p>
      <CopyBlock text={secret} what={settingsWords.receiver.secret} />
      <p>{until === null ? words.onlyNew : `${words.bothUntil} ${date(until)}.`}</p>
      <Row>
        <Button look="primary" onClick={onClose}>
          {t.ui.close}
        </Button>
      </Row>
    </Dialog>
  );
}
