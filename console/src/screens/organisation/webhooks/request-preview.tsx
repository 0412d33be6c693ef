import { useChange } from '../../../api/queries';
import type { WebhookPreview } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Quiet, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { endpointWords } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.inspector;

/** The request of a delivery as it would go now. */
export function RequestPreview({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const preview = useChange('POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/preview', []);
  return (
    <section aria-label={words.request}>
      <Stack gap="tight">
        <h3>{words.request}</h3>
        <Quiet>{words.requestHelp}</Quiet>
        <div>
          <Button
            icon="terminal"
            busy={preview.isPending}
            onClick={() => preview.mutate({ path: { endpoint_id: endpointId, delivery_id: deliveryId } })}
          >
            {words.showRequest}
          </Button>
        </div>
        {preview.error && <Problem error={preview.error} />}
        {preview.data && <Request preview={preview.data} />}
      </Stack>
    </section>
  );
}

function Request({ preview }: { preview: WebhookPreview }) {
  const { method, url, headers, signature_count: signatures, signed_content: signed, refusal } = preview;
  const valueOf = (name: string, value: string | null) => {
    if (value !== null) return shown(value);
    return (
      <Quiet>
        {name === 'webhook-signature' ? words.signatures(number(signatures), signatures === 1) : words.hidden}
      </Quiet>
    );
  };
  return (
    <Stack gap="tight">
      {refusal !== null && (
        <p>
          {words.refused} {shown(refusal)}
        </p>
      )}
      <div className={styles.attempt}>
        <code className={styles.address}>
          {method} {shown(url)}
        </code>
        <dl className={styles.headers}>
          {headers.map(({ name, value }) => (
            <div key={name}>
              <dt>{shown(name)}:</dt>
              <dd>{valueOf(name, value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <h4>{words.signed}</h4>
      <Quiet>{words.signedHelp}</Quiet>
      <CopyBlock text={signed} display={shown(signed)} what={words.signedWhat} />
    </Stack>
  );
}
