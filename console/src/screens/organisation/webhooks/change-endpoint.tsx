import { useMemo } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookEndpointDetail } from '../../../api/schema';
import { notify } from '../../../ui/toasts';
import { draftOf } from './endpoint-draft';
import { EndpointForm } from './endpoint-form';
import { ENDPOINT_READS } from './endpoint-route';
import { changesOf, valuesOf } from './endpoint-values';
import { useEndpointValues } from './use-endpoint-values';
import { listWords } from './words';

const words = listWords.form;

/** The form that changes an endpoint; it sends only what was changed. */
export function ChangeEndpoint({ orgId, endpoint }: { orgId: string; endpoint: WebhookEndpointDetail }) {
  const before = useMemo(() => valuesOf(endpoint), [endpoint]);
  const [values, setValues, drop] = useEndpointValues(draftOf(orgId, endpoint.id), before);
  const change = useChange('PATCH /v1/webhooks/{endpoint_id}', ENDPOINT_READS);
  const submit = () => {
    const body = changesOf(before, values);
    if (!body) {
      notify(words.unchanged);
      return;
    }
    change.mutate(
      { path: { endpoint_id: endpoint.id }, body },
      {
        onSuccess: () => {
          drop();
          notify(words.saved);
        },
      },
    );
  };
  return (
    <EndpointForm
      values={values}
      onChange={setValues}
      onSubmit={submit}
      action={words.save}
      busy={change.isPending}
      error={change.error}
    />
  );
}
