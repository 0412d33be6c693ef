import { memo } from 'react';
import type { ScimLogEntry } from '../../../api/schema';
import { listOf, number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { namedIn } from './call-kind';
import { clock, fullTime } from '../../bundle/calls/clock';
import type { Provider } from './provider';
import { MendBox } from './mend-box';
import styles from './provisioning.module.css';
import { titleOfCall, words } from './words';

const text = words.calls;

interface CallRowProps {
  call: ScimLogEntry;
  provider: Provider;
  onOpen: (id: string) => void;
}

/** A call, what was answered, and what to mend. */
export const CallRow = memo(
  function CallRow({ call, provider, onOpen }: CallRowProps) {
    const hasFailed = call.status >= 400;
    const what = titleOfCall(call);
    const name = namedIn(call.path);
    return (
      <div className={styles.call}>
        <div className={styles.callHead}>
          <Row>
            <Badge tone={hasFailed ? 'bad' : 'good'} icon={hasFailed ? 'alert' : 'check'}>
              {text.status(String(call.status))}
            </Badge>
            <strong>{what}</strong>
            {name !== undefined && <OtherText>{name}</OtherText>}
          </Row>
          <Row>
            <Quiet>
              <time dateTime={call.created_at} title={fullTime(call.created_at)}>
                {clock(call.created_at)}
              </time>
            </Quiet>
            <Button
              look="plain"
              aria-label={text.detailsOf(what, clock(call.created_at))}
              onClick={() => onOpen(call.id)}
            >
              {text.details}
            </Button>
          </Row>
        </div>
        <span className={styles.path}>
          <bdi>
            {shown(call.method)} {shown(call.path)}
          </bdi>
        </span>
        {call.bulk_index !== null && <Quiet>{text.operation(number(call.bulk_index + 1))}</Quiet>}
        <MendBox call={call} provider={provider} />
        <CallNotes call={call} />
      </div>
    );
  },
  // The functions of a list are others each time that it is read.
  (one, other) => one.call === other.call && one.provider === other.provider,
);

/** What the identity provider does not see in the answer. */
export function CallNotes({ call: { ignored, notes, consent } }: { call: ScimLogEntry }) {
  return (
    <>
      {ignored.length > 0 && <Quiet>{text.ignored(listOf(ignored.map((name) => shown(name))))}</Quiet>}
      {notes.map((note) => (
        <Quiet key={note}>
          <OtherText>{note}</OtherText>
        </Quiet>
      ))}
      {consent !== null && <Quiet>{text[consent]}</Quiet>}
    </>
  );
}
