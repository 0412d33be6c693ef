import { useId } from 'react';
import type { AuditEntry } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy';
import { Facts, Quiet, Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { visibleJson } from '../../../ui/visible-json';
import { When } from '../../../ui/when';
import { fullTime } from '../../bundle/calls/clock';
import { actorName } from './actor-name';
import styles from './audit-log.module.css';
import { changesOf, shortChanges } from './change';
import { ChangeTable } from './change-table';
import { words } from './words';

interface AuditEntryRowProps {
  entry: AuditEntry;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (changes: { actor?: string; subject?: string }) => void;
}

const REASONS: Partial<Record<string, string>> = words.reasons;

/** An entry in two lines, which opens. */
export function AuditEntryRow({ entry, isOpen, onToggle, onChange }: AuditEntryRowProps) {
  const id = useId();
  const changes = changesOf(entry);
  const what = words.actions[entry.action];
  return (
    <div className={styles.entry}>
      <div className={styles.head}>
        <Row>
          <strong>{what}</strong>
          {entry.subject_name !== null && <OtherText>{entry.subject_name}</OtherText>}
          <bdi>{words.by(actorName(entry.actor))}</bdi>
          {entry.reason !== null && <Badge>{REASONS[entry.reason] ?? shown(entry.reason)}</Badge>}
        </Row>
        <Row>
          <Quiet>
            <When at={entry.created_at} />
          </Quiet>
          <Button
            look="plain"
            icon={isOpen ? 'down' : 'right'}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={words.showOf(what, fullTime(entry.created_at))}
            onClick={onToggle}
          >
            {isOpen ? words.hide : words.show}
          </Button>
        </Row>
      </div>
      {!isOpen && <Summary changes={shortChanges(changes)} />}
      {isOpen && (
        <div id={id} className={styles.detail}>
          <EntryDetail entry={entry} onChange={onChange} />
        </div>
      )}
    </div>
  );
}

function Summary({ changes }: { changes: ReturnType<typeof shortChanges> }) {
  if (changes.length === 0) return null;
  return (
    <div className={styles.summary}>
      {changes.map(({ path, before, after }) => (
        <Quiet key={path}>
          <bdi>
            {shown(path)}: {before !== undefined && <>{shown(before)} → </>}
            {after === undefined ? words.nothing : shown(after)}
          </bdi>
        </Quiet>
      ))}
    </div>
  );
}

function EntryDetail({ entry, onChange }: Pick<AuditEntryRowProps, 'entry' | 'onChange'>) {
  const { actor, subject_id: subject, subject_name: subjectName, reason, details, request_id: requestId } = entry;
  const { id: actorId } = actor;
  const cause = visibleJson(details ?? undefined);
  return (
    <>
      <ChangeTable entry={entry} />
      <Facts
        facts={[
          [
            words.subject,
            <Id key="subject" label={words.subjects[entry.subject_type]} name={subjectName} id={subject} />,
          ],
          [words.reason, reason === null ? undefined : (REASONS[reason] ?? shown(reason))],
          [words.details, cause === undefined ? undefined : <code key="cause">{cause}</code>],
          [
            words.requestId,
            requestId === null ? undefined : (
              <Row key="request">
                <code>{shown(requestId)}</code>
                <CopyButton text={requestId} what={words.requestIdWhat} />
              </Row>
            ),
          ],
          [
            words.entryId,
            <Row key="entry">
              <code>{entry.id}</code>
              <CopyButton text={entry.id} what={words.entryIdWhat} />
            </Row>,
          ],
        ]}
      />
      <Row>
        {actorId !== null && (
          <Button onClick={() => onChange({ actor: actorId })}>
            <bdi>{words.onlyActor(actorName(actor))}</bdi>
          </Button>
        )}
        {subject !== null && <Button onClick={() => onChange({ subject })}>{words.onlySubject}</Button>}
      </Row>
    </>
  );
}

const Id = ({ label, name, id }: { label: string; name: string | null; id: string | null }) => (
  <span>
    {label} {name !== null && <OtherText>{name}</OtherText>} {id !== null && <code>{id}</code>}
  </span>
);
