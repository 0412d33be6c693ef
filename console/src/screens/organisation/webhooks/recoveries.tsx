import { useChange, useList } from '../../../api/queries';
import type { WebhookRecovery } from '../../../api/schema';
import { date, number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { notify } from '../../../ui/toasts';
import { settingsWords, share } from './words';
import styles from './webhooks.module.css';

const words = settingsWords.recover;
const POLL_MS = 2_000;
const ROW_HEIGHT = 96;
const LOOKS = { RUNNING: 'play', COMPLETED: 'check', CANCELLED: 'close' } as const;

/** The recoveries of an endpoint, newest first, with the progress of the one that runs. */
export function Recoveries({ endpointId }: { endpointId: string }) {
  const list = useList(
    'GET /v1/webhooks/{endpoint_id}/recoveries',
    { path: { endpoint_id: endpointId }, query: { limit: 20 } },
    { pollEvery: POLL_MS },
  );
  return (
    <Section title={words.past}>
      <Rows
        list={list}
        label={words.past}
        keyOf={({ id }) => id}
        height={ROW_HEIGHT}
        row={(recovery) => <Recovery endpointId={endpointId} recovery={recovery} />}
        empty={
          <Empty>
            <p>{words.none}</p>
          </Empty>
        }
      />
    </Section>
  );
}

function Recovery({ endpointId, recovery }: { endpointId: string; recovery: WebhookRecovery }) {
  const cancel = useChange('DELETE /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}', [
    'GET /v1/webhooks/{endpoint_id}/recoveries',
  ]);
  const { status, progress, queued, scanned } = recovery;
  const period = words.period(date(recovery.since), date(recovery.until));
  const isRunning = status === 'RUNNING';
  const stop = () =>
    cancel.mutate(
      { path: { endpoint_id: endpointId, recovery_id: recovery.id } },
      { onSuccess: () => notify(words.cancelled) },
    );
  return (
    <div className={styles.recovery}>
      <Stack gap="tight">
        <Row between>
          <Row>
            <Badge {...(status === 'COMPLETED' && { tone: 'good' as const })} icon={LOOKS[status]}>
              {words.statuses[status]}
            </Badge>
            <span>{period}</span>
          </Row>
          {isRunning && (
            <Button aria-label={words.cancelOf(period)} busy={cancel.isPending} onClick={stop}>
              {words.cancel}
            </Button>
          )}
        </Row>
        {isRunning && <progress className={styles.progress} max={1} value={progress} aria-label={words.progressOf} />}
        <Quiet>
          {words.sofar(number(queued), number(scanned))}
          {isRunning && `, ${words.progress(share(progress, 1))}`}
        </Quiet>
        {cancel.error && <Problem error={cancel.error} />}
      </Stack>
    </div>
  );
}
