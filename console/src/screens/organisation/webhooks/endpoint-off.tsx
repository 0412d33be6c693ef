import type { WebhookEndpointDetail } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { useSwitch } from './use-switch';
import { endpointWords as words } from './words';
import styles from './webhooks.module.css';

const REASONS: Partial<Record<string, string>> = { gone: words.offGone, failing: words.offFailing };

/** Why nothing is sent to an endpoint, and what to do. */
export function EndpointOff({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const { turn, isPending, error } = useSwitch(endpoint.id);
  const { disabled_reason: reason, disabled_at: at } = endpoint;
  return (
    <section className={styles.notice} aria-label={words.offTitle}>
      <h2>{words.offTitle}</h2>
      <p>{reason === null ? words.offByPerson : (REASONS[reason] ?? words.offByPerson)}</p>
      {at !== null && (
        <p>
          {words.offSince} <When at={at} />.
        </p>
      )}
      <p>{words.offSteps}</p>
      {error && <Problem error={error} />}
      <Row>
        <Button look="primary" icon="play" busy={isPending} onClick={() => turn(true)}>
          {words.switchOn}
        </Button>
      </Row>
    </section>
  );
}
