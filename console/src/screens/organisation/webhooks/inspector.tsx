import { useRead, useChange } from '../../../api/queries';
import type { WebhookAttempt, WebhookDeliveryDetail, WebhookEndpointDetail } from '../../../api/schema';
import { date, number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyBlock, CopyButton } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Facts, Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Loaded, Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { visibleJson } from '../../../ui/visible-json';
import { When } from '../../../ui/when';
import { DeliveryBadge } from './delivery-row';
import { mendOf, whyOf } from './delivery-words';
import { DELIVERY_READS } from './endpoint-route';
import { RequestPreview } from './request-preview';
import { duration, endpointWords } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.inspector;
const POLL_MS = 2_000;

interface InspectorProps {
  endpoint: WebhookEndpointDetail;
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: the body, each attempt with what the receiver answered, and the request as it would go now. */
export function Inspector({ endpoint, deliveryId, onClose }: InspectorProps) {
  const read = useRead(
    'GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}',
    { path: { endpoint_id: endpoint.id, delivery_id: deliveryId } },
    { pollEvery: POLL_MS },
  );
  return (
    <Dialog open wide onClose={onClose} title={words.title(shown(read.data?.event_type ?? '…'))}>
      <Loaded read={read} lines={8}>
        {(delivery) => <Delivery endpoint={endpoint} delivery={delivery} />}
      </Loaded>
    </Dialog>
  );
}

function Delivery({ endpoint, delivery }: { endpoint: WebhookEndpointDetail; delivery: WebhookDeliveryDetail }) {
  const { status, error, payload, attempts } = delivery;
  return (
    <Stack>
      <Facts
        facts={[
          [
            words.status,
            <Stack key="status" gap="tight">
              <span role="status">
                <DeliveryBadge status={status} />
              </span>
              <Quiet>{endpointWords.deliveries.statusHelp[status]}</Quiet>
            </Stack>,
          ],
          [words.why, error === null ? null : whyOf(error)],
          [words.mend, error === null || status === 'SUCCEEDED' ? null : mendOf(error)],
          [words.made, date(delivery.created_at)],
          [words.next, delivery.next_attempt_at === null ? null : <When key="next" at={delivery.next_attempt_at} />],
          [words.eventId, <Id key="event" id={delivery.event_id} />],
          [words.id, <Id key="id" id={delivery.id} />],
        ]}
      />
      <Resend endpoint={endpoint} delivery={delivery} />
      <Stack gap="tight">
        <h3>{words.attempts}</h3>
        {attempts.length === 0 && <Quiet>{delivery.attempt_count > 0 ? words.attemptsGone : words.noAttempts}</Quiet>}
        {attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </Stack>
      <Stack gap="tight">
        <h3>{words.body}</h3>
        {payload === null ? (
          <Quiet>{words.bodyGone}</Quiet>
        ) : (
          <>
            <Quiet>{words.bodyHelp}</Quiet>
            <CopyBlock text={JSON.stringify(payload)} display={visibleJson(payload) ?? ''} what={words.bodyWhat} />
          </>
        )}
      </Stack>
      {payload !== null && <RequestPreview endpointId={endpoint.id} deliveryId={delivery.id} />}
    </Stack>
  );
}

const Id = ({ id }: { id: string }) => (
  <Row>
    <code>{id}</code>
    <CopyButton text={id} what={words.whatId} />
  </Row>
);

function Resend({ endpoint, delivery }: { endpoint: WebhookEndpointDetail; delivery: WebhookDeliveryDetail }) {
  const resend = useChange('POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/redeliver', DELIVERY_READS);
  if (!endpoint.is_active) return <Quiet>{words.resendOff}</Quiet>;
  return (
    <Stack gap="tight">
      <Row>
        <Button
          look="primary"
          icon="refresh"
          busy={resend.isPending}
          onClick={() =>
            resend.mutate(
              { path: { endpoint_id: endpoint.id, delivery_id: delivery.id } },
              { onSuccess: () => notify(words.resent) },
            )
          }
        >
          {words.resend}
        </Button>
        <Quiet>{words.resendHelp}</Quiet>
      </Row>
      {resend.error && <Problem error={resend.error} />}
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { response_status: status, response_body: body, error, error_message: message } = attempt;
  return (
    <section className={styles.attempt} aria-label={words.attempt(number(attempt.number))}>
      <Row between>
        <h4>{words.attempt(number(attempt.number))}</h4>
        <DeliveryBadge status={attempt.status} />
      </Row>
      <p>
        {date(attempt.started_at)}, {words.took} {duration(attempt.duration_ms)},{' '}
        {status === null ? words.noAnswer : words.answered(String(status))}
      </p>
      {error !== null && (
        <p>
          {whyOf(error)} {message !== null && <Quiet>{shown(message)}</Quiet>}
        </p>
      )}
      {status !== null &&
        (body === null || body === '' ? (
          <Quiet>{words.answerEmpty}</Quiet>
        ) : (
          <CopyBlock text={body} display={shown(body)} what={words.answerBody} />
        ))}
    </section>
  );
}
