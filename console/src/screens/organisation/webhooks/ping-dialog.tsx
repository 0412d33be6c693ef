import { useEffect, useRef } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookPing } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Facts, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem, Skeleton } from '../../../ui/problem';
import { mendOf, whyOf } from './delivery-words';
import { duration, endpointWords as words } from './words';
import styles from './webhooks.module.css';

/** Sends a ping, and shows what the receiver answered. */
export function PingDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const ping = useChange('POST /v1/webhooks/{endpoint_id}/ping', []);
  const { mutate } = ping;
  // In development React runs effects twice; a ping is sent once.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate({ path: { endpoint_id: endpointId } });
  }, [mutate, endpointId]);
  const again = () => mutate({ path: { endpoint_id: endpointId } });
  return (
    <Dialog open onClose={onClose} title={words.pingTitle}>
      <div role="status">
        {ping.isPending && (
          <Stack gap="tight">
            <p>{words.pinging}</p>
            <Skeleton lines={2} />
          </Stack>
        )}
        {ping.data && !ping.isPending && <Result result={ping.data} />}
      </div>
      {ping.error && !ping.isPending && <Problem error={ping.error} />}
      <Row>
        <Button icon="refresh" busy={ping.isPending} onClick={again}>
          {words.pingAgain}
        </Button>
      </Row>
    </Dialog>
  );
}

function Result({ result }: { result: WebhookPing }) {
  const { status, response_status: answered, duration_ms: ms, error, error_message: message } = result;
  const isGood = status === 'SUCCEEDED';
  return (
    <Stack gap="tight">
      <div className={`${styles.notice} ${isGood ? styles.good : styles.bad}`}>
        <h2>{isGood ? words.pingGood(duration(ms), String(answered)) : words.pingBad}</h2>
        {error !== null && (
          <>
            <p>{whyOf(error)}</p>
            {message !== null && <p>{shown(message)}</p>}
            <p>{mendOf(error)}</p>
          </>
        )}
      </div>
      <Facts
        facts={[
          [words.pingId, <code key="id">{result.webhook_id}</code>],
          [words.overview.duration, duration(ms)],
          [words.deliveries.class, answered === null ? words.deliveries.noAnswer : String(answered)],
        ]}
      />
      {result.response_body !== null && result.response_body !== '' && (
        <CopyBlock text={result.response_body} display={shown(result.response_body)} what={words.pingAnswer} />
      )}
    </Stack>
  );
}
