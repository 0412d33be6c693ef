import { memo } from 'react';
import type { Call, CallOutcome } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import { type IconName, Icon } from '../../../ui/icon';
import { Unseen } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { CallDetail } from './call-detail';
import styles from './calls.module.css';
import type { CallSearch } from './calls-tab';
import { clock, fullTime } from './clock';
import { callsWords, duration } from './words';

const words = callsWords.record;

const LOOKS: Record<CallOutcome, readonly [Tone | undefined, IconName]> = {
  STARTED: [undefined, 'clock'],
  OK: ['good', 'check'],
  TOOL_ERROR: ['bad', 'alert'],
  UPSTREAM_ERROR: ['bad', 'alert'],
  TIMEOUT: ['bad', 'clock'],
  CANCELLED: [undefined, 'close'],
  DENIED: ['warn', 'shield'],
  CREDENTIAL_REQUIRED: ['warn', 'key'],
  DEFINITION_CHANGED: ['warn', 'lock'],
  RATE_LIMITED: ['warn', 'pause'],
};

/** What a call has come to. */
export function OutcomeBadge({ outcome }: { outcome: CallOutcome }) {
  const [tone, icon] = LOOKS[outcome];
  return (
    <Badge {...(tone && { tone })} icon={icon}>
      {callsWords.outcomes[outcome]}
    </Badge>
  );
}

interface CallRowProps {
  call: Call;
  who: string;
  server: string;
  isOpen: boolean;
  onToggle: (id: string) => void;
  bundleId: string;
  onChoose: (next: CallSearch) => void;
}

/** A call in a line, which opens. Drawn again only if it has changed: the list is drawn every two seconds. */
export const CallRow = memo(function CallRow(props: CallRowProps) {
  const { call, who, server, isOpen, onToggle } = props;
  const took = call.duration_ms === null ? words.running : duration(call.duration_ms);
  return (
    <div>
      <button
        type="button"
        className={styles.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `call-${call.id}` : undefined}
        onClick={() => onToggle(call.id)}
      >
        <time dateTime={call.created_at} title={fullTime(call.created_at)} className={styles.when}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {clock(call.created_at)}
        </time>
        <span className={styles.tool}>
          <OtherText>{call.tool ?? call.method}</OtherText>
        </span>
        <span className={styles.cell}>
          <Unseen>{`${words.columns.who}: `}</Unseen>
          <bdi>{who}</bdi>
        </span>
        <span className={styles.cell}>
          <Unseen>{`${words.columns.server}: `}</Unseen>
          <bdi>{server}</bdi>
        </span>
        <span>
          <OutcomeBadge outcome={call.outcome} />
        </span>
        <span className={styles.number}>{took}</span>
        <span className={styles.cell}>
          <Unseen>{`${words.columns.client}: `}</Unseen>
          <bdi>{call.client.name === null ? words.noClient : shown(call.client.name)}</bdi>
        </span>
      </button>
      {isOpen && <CallDetail {...props} />}
    </div>
  );
});
