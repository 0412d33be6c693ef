import { useState } from 'react';
import { useChange } from '../../../api/queries';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectInput } from '../../../ui/field';
import { Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { Consequences } from '../consequences';
import { CLIENT_CHANGES } from './client-changes';
import type { ClientDialogProps } from './client-dialog';
import { SecretShown } from './secret-shown';
import { words } from './words';

const text = words.rotate;
const GRACES = ['0', '3600', '86400', '604800'] as const;
const A_DAY = '86400';

/** Gives a client a new secret, and shows it once. */
export function RotateDialog({ client, onClose }: ClientDialogProps) {
  const rotate = useChange('POST /v1/oauth-clients/{client_id}/rotate-secret', CLIENT_CHANGES);
  const [grace, setGrace] = useState<string>(A_DAY);
  const name = shown(client.name);
  if (rotate.data)
    return <SecretShown title={words.secretShown.rotated(name)} client={rotate.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={text.title(name)}>
      <Stack>
        <Consequences label={words.follows} items={text.follows} />
        <SelectInput
          label={text.grace}
          value={grace}
          error={rotate.error?.at('grace_seconds')}
          onChange={(event) => setGrace(event.target.value)}
          options={GRACES.map((seconds) => [seconds, text.graces[seconds]] as const)}
        />
        {rotate.error && <Problem error={rotate.error} />}
        <Row>
          <Button
            look="danger"
            busy={rotate.isPending}
            onClick={() => rotate.mutate({ path: { client_id: client.id }, body: { grace_seconds: Number(grace) } })}
          >
            {text.action}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
