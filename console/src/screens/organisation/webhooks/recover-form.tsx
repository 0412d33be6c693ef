import { type FormEvent, useRef, useState } from 'react';
import { useChange } from '../../../api/queries';
import type { WebhookEndpointDetail, WebhookRecoveryPreview } from '../../../api/schema';
import { date, number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import { Facts, Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { DELIVERY_READS, endpointRoute } from './endpoint-route';
import { fromLocal, toLocal } from './local-time';
import { settingsWords } from './words';
import styles from './webhooks.module.css';

const words = settingsWords.recover;
const DAY_MS = 86_400_000;

/** Asks for a period, counts what would be sent, and only then offers to send it. */
export function RecoverForm({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const { from } = endpointRoute.useSearch();
  const [since, setSince] = useState(() => toLocal(beginOf(from) ?? new Date(Date.now() - DAY_MS).toISOString()));
  const [until, setUntil] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const count = useChange('POST /v1/webhooks/{endpoint_id}/recover', []);
  useFocusFirstInvalid(form, count.error);
  const [begin, end] = [fromLocal(since), until === '' ? null : fromLocal(until)];
  const changed = () => {
    count.reset();
    setTried(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count.isPending) return;
    setTried(true);
    if (begin === undefined || end === undefined) {
      setTimeout(() => focusFirstInvalid(form.current));
      return;
    }
    count.mutate({
      path: { endpoint_id: endpoint.id },
      body: { since: begin, until: end, include_missing: isMissing, dry_run: true },
    });
  };
  const counted = count.data && 'lost' in count.data ? count.data : undefined;
  return (
    <Section title={words.title}>
      <Quiet>{words.help}</Quiet>
      <form ref={form} onSubmit={submit} className={`${styles.form} ${styles.narrow}`} noValidate>
        <div className={styles.filters}>
          <TextInput
            type="datetime-local"
            label={words.since}
            hint={words.sinceHint}
            value={since}
            onChange={(event) => {
              changed();
              setSince(event.target.value);
            }}
            error={isTried && begin === undefined ? words.wrongTime : count.error?.at('since')}
            required
          />
          <TextInput
            type="datetime-local"
            label={words.until}
            hint={words.untilHint}
            value={until}
            onChange={(event) => {
              changed();
              setUntil(event.target.value);
            }}
            error={isTried && end === undefined ? words.wrongTime : count.error?.at('until')}
          />
        </div>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isMissing}
            onChange={() => {
              changed();
              setMissing(!isMissing);
            }}
          />
          <span>
            {words.missing}
            <br />
            <Quiet>{words.missingHint}</Quiet>
          </span>
        </label>
        {count.error && count.error.faults.length === 0 && <Problem error={count.error} />}
        <Row>
          <Button type="submit" {...(!counted && { look: 'primary' as const })} busy={count.isPending}>
            {words.count}
          </Button>
        </Row>
      </form>
      <div role="status">{counted && <Counted endpointId={endpoint.id} counted={counted} onStarted={changed} />}</div>
    </Section>
  );
}

/** Before the start of a run of failures, whose first delivery was made a little earlier. */
function beginOf(from: string | undefined): string | undefined {
  if (from === undefined || Number.isNaN(Date.parse(from))) return undefined;
  return new Date(Date.parse(from) - 60_000).toISOString();
}

interface CountedProps {
  endpointId: string;
  counted: WebhookRecoveryPreview;
  onStarted: () => void;
}

function Counted({ endpointId, counted, onStarted }: CountedProps) {
  const start = useChange('POST /v1/webhooks/{endpoint_id}/recover', [
    ...DELIVERY_READS,
    'GET /v1/webhooks/{endpoint_id}/recoveries',
  ]);
  const { since, until, include_missing: isMissing, queued, lost, missing, scanned, is_exact: isExact } = counted;
  const begin = () =>
    start.mutate(
      { path: { endpoint_id: endpointId }, body: { since, until, include_missing: isMissing } },
      {
        onSuccess: () => {
          notify(words.started);
          onStarted();
        },
      },
    );
  return (
    <section className={`${styles.attempt} ${styles.narrow}`} aria-label={words.counted}>
      <h3>{words.counted}</h3>
      <Facts
        facts={[
          [words.total, <strong key="total">{number(queued)}</strong>],
          [words.lost, number(lost)],
          [words.never, isMissing ? number(missing) : `${number(missing)}, ${words.neverNot}`],
          [words.scanned, number(scanned)],
          [words.since, date(since)],
          [words.until, date(until)],
        ]}
      />
      {!isExact && <p>{words.inexact}</p>}
      {queued === 0 && isExact ? (
        <Stack gap="tight">
          <p>{words.nothing}</p>
          <Quiet>{words.nothingHelp}</Quiet>
        </Stack>
      ) : (
        <Stack gap="tight">
          <Quiet>{words.after}</Quiet>
          {start.error && <Problem error={start.error} />}
          <Row>
            <Button look="primary" icon="refresh" busy={start.isPending} onClick={begin}>
              {isExact ? words.start(number(queued), queued === 1) : words.startMore(number(queued))}
            </Button>
          </Row>
        </Stack>
      )}
    </section>
  );
}
