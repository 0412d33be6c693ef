import { Link } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointDay } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import { type EndpointState, nameOf } from './endpoint-state';
import { StateBadge } from './state-badge';
import { Strip } from './strip';
import type { StripHour } from './strip-bars';
import { listWords as words } from './words';
import styles from './webhooks.module.css';

export interface EndpointLine {
  endpoint: WebhookEndpoint;
  state: EndpointState;
  day: WebhookEndpointDay | undefined;
  hours: readonly StripHour[];
}

interface EndpointRowProps {
  orgId: string;
  line: EndpointLine;
  onTable: () => void;
}

/** An endpoint with its day, and why it is as it is. */
export function EndpointRow({ orgId, line: { endpoint, state, day, hours }, onTable }: EndpointRowProps) {
  const { id, target_url: url, description, event_types: types } = endpoint;
  const name = shown(nameOf(url));
  return (
    <div className={styles.row}>
      <div className={styles.about}>
        <Row>
          <Link
            to="/organisations/$orgId/webhooks/$endpointId"
            params={{ orgId, endpointId: id }}
            className={styles.name}
          >
            <bdi>{name}</bdi>
          </Link>
          <StateBadge state={state} />
        </Row>
        <ul className={styles.facts}>
          {description !== '' && (
            <li>
              <OtherText>{description}</OtherText>
            </li>
          )}
          <li>{types.length === 0 ? words.noEvents : words.events(number(types.length), types.length === 1)}</li>
          <li>
            {words.created} <When at={endpoint.created_at} />
          </li>
        </ul>
        <Why state={state} day={day} />
      </div>
      <Strip hours={hours} />
      <Button icon="rows" aria-label={words.strip.asTableOf(name)} onClick={onTable} />
    </div>
  );
}

function Why({ state, day }: Pick<EndpointLine, 'state' | 'day'>) {
  if (state === 'failing' && day?.failing_since) {
    return (
      <p className={styles.why}>
        {words.stateWhy.failing} <When at={day.failing_since} />.
      </p>
    );
  }
  if (state !== 'off') return null;
  const { disabled_reason: reason, disabled_at: at } = day ?? { disabled_reason: null, disabled_at: null };
  if (reason === null) return <p className={styles.why}>{words.stateWhy.offByPerson}</p>;
  return (
    <p className={styles.why}>
      {reason === 'gone' || reason === 'failing' ? words.stateWhy.offByUs[reason] : words.stateWhy.offByUs.other}{' '}
      {at !== null && <When at={at} />}
    </p>
  );
}
