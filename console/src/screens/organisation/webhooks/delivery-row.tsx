import { memo } from 'react';
import type { WebhookDelivery, WebhookDeliveryStatus } from '../../../api/schema';
import { date, number } from '../../../messages/text';
import { Badge, type Tone } from '../../../ui/badge';
import type { IconName } from '../../../ui/icon';
import { Unseen } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { clock } from '../../bundle/calls/clock';
import { endpointWords } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.deliveries;

const LOOKS: Record<WebhookDeliveryStatus, readonly [Tone | undefined, IconName]> = {
  PENDING: [undefined, 'clock'],
  SUCCEEDED: ['good', 'check'],
  FAILED: ['bad', 'alert'],
  CANCELLED: ['warn', 'close'],
};

/** What a delivery has come to. */
export function DeliveryBadge({ status }: { status: WebhookDeliveryStatus }) {
  const [tone, icon] = LOOKS[status];
  return (
    <Badge {...(tone && { tone })} icon={icon}>
      {words.statuses[status]}
    </Badge>
  );
}

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  onOpen: (id: string) => void;
}

/** A delivery in a line, which opens. Drawn again only if it has changed. */
export const DeliveryRow = memo(function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { id, event_type: type, status, attempt_count: attempts, response_status: answer, created_at: at } = delivery;
  return (
    <button type="button" className={styles.delivery} aria-haspopup="dialog" onClick={() => onOpen(id)}>
      <time dateTime={at} title={date(at)} className={styles.quiet}>
        {clock(at)}
      </time>
      <code className={styles.cell}>{shown(type)}</code>
      <span>
        <DeliveryBadge status={status} />
      </span>
      <span className={styles.cell}>
        <Unseen>{`${words.columns.answer}: `}</Unseen>
        {answer ?? (attempts === 0 ? words.noAttempt : words.noAnswer)}
      </span>
      <span className={styles.quiet}>{words.attempts(number(attempts), attempts === 1)}</span>
    </button>
  );
});

/** What the places of a row are, for those who see them beside each other; each row says it by itself, too. */
export const DeliveryColumns = () => (
  <div className={styles.columns} aria-hidden="true">
    {(['when', 'type', 'status', 'answer', 'attempts'] as const).map((column) => (
      <span key={column}>{words.columns[column]}</span>
    ))}
  </div>
);
