import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookEndpointCreated } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button, buttonClass } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Row } from '../../../ui/layout';
import { draftOf } from './endpoint-draft';
import { EndpointForm } from './endpoint-form';
import { NEW_ENDPOINT, newHeaders, rateOf } from './endpoint-values';
import { useEndpointValues } from './use-endpoint-values';
import { listWords as words } from './words';

interface CreateEndpointProps {
  orgId: string;
  onClose: () => void;
}

/** Makes an endpoint, and shows its secret once. */
export function CreateEndpoint({ orgId, onClose }: CreateEndpointProps) {
  const create = useChange('POST /v1/webhooks', ['GET /v1/webhooks', 'GET /v1/webhooks/stats']);
  const [values, setValues, drop] = useEndpointValues(draftOf(orgId), NEW_ENDPOINT);
  const [created, setCreated] = useState<WebhookEndpointCreated>();
  if (created) return <Made orgId={orgId} created={created} onClose={onClose} />;
  const submit = () =>
    create.mutate(
      {
        body: {
          org_id: orgId,
          target_url: values.url.trim(),
          description: values.description,
          event_types: values.types,
          headers: newHeaders(values.headers),
          rate_limit_per_second: rateOf(values.rate) ?? null,
        },
      },
      {
        onSuccess: (endpoint) => {
          drop();
          setCreated(endpoint);
        },
      },
    );
  const cancel = () => {
    drop();
    onClose();
  };
  return (
    <Dialog open wide onClose={onClose} title={words.form.createTitle}>
      <EndpointForm
        values={values}
        onChange={setValues}
        onSubmit={submit}
        action={words.form.create}
        busy={create.isPending}
        error={create.error}
      >
        <Button onClick={cancel}>{t.ui.cancel}</Button>
      </EndpointForm>
    </Dialog>
  );
}

interface MadeProps extends CreateEndpointProps {
  created: WebhookEndpointCreated;
}

const Made = ({ orgId, created, onClose }: MadeProps) => (
  <Dialog open onClose={onClose} title={words.secret.title}>
    <p>{words.secret.once}</p>
    <CopyBlock text={created.secret} what={words.secret.what} />
    <Row>
      <Button look="primary" onClick={onClose}>
        {words.secret.done}
      </Button>
      <Link
        to="/organisations/$orgId/webhooks/$endpointId"
        params={{ orgId, endpointId: created.id }}
        search={{ tab: 'receiver' }}
        className={buttonClass()}
      >
        {words.secret.next}
      </Link>
    </Row>
  </Dialog>
);
