import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Bundle, Endpoint } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button, buttonClass } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { ConfirmDialog } from '../../../ui/dialog';
import { Quiet, Row, Section } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { ENDPOINT_CHANGES } from './endpoint-changes';
import { endpointWords } from './words';

const words = endpointWords.address;

/** Where clients connect, and whether they are served. */
export function AddressPart({ bundle, endpoint }: { bundle: Bundle; endpoint: Endpoint }) {
  const change = useChange('PATCH /v1/bundles/{bundle_id}/endpoint', ENDPOINT_CHANGES);
  const [asks, setAsks] = useState(false);
  const turn = (is_enabled: boolean) =>
    change.mutate(
      { path: { bundle_id: bundle.id }, body: { is_enabled } },
      {
        onSuccess: () => {
          setAsks(false);
          notify(is_enabled ? words.turnedOn : words.turnedOff);
        },
      },
    );
  const isOn = endpoint.is_enabled;
  return (
    <Section title={words.title}>
      <Quiet>{words.help}</Quiet>
      <CopyBlock text={endpoint.url} what={words.what} />
      <Row between>
        <Row>
          <Badge tone={isOn ? 'good' : 'warn'} icon={isOn ? 'check' : 'pause'}>
            {isOn ? words.on : words.off}
          </Badge>
          <span>{isOn ? words.onMeans : words.offMeans}</span>
          {!isOn && !bundle.may_modify && <Quiet>{words.offOthers}</Quiet>}
        </Row>
        <Row>
          {isOn && (
            <Link
              to="/bundles/$bundleId"
              params={{ bundleId: bundle.id }}
              search={{ tab: 'connect' }}
              className={buttonClass()}
            >
              {words.connect}
            </Link>
          )}
          {bundle.may_modify &&
            (isOn ? (
              <Button icon="pause" onClick={() => setAsks(true)}>
                {words.turnOff}
              </Button>
            ) : (
              <Button look="primary" icon="play" busy={change.isPending} onClick={() => turn(true)}>
                {words.turnOn}
              </Button>
            ))}
        </Row>
      </Row>
      {change.error && !asks && <Problem error={change.error} />}
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={words.offTitle}
        action={words.turnOff}
        onConfirm={() => turn(false)}
        busy={change.isPending}
      >
        <p>{words.offHelp}</p>
        {change.error && <Problem error={change.error} />}
      </ConfirmDialog>
    </Section>
  );
}
