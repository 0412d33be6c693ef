import { useRead } from '../../../api/queries';
import type { PlatformHealth } from '../../../api/schema';
import { age } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Loaded } from '../../../ui/problem';
import { PlatformFrame } from '../platform-frame';
import styles from './health.module.css';
import { LightCard, titleOf } from './light-card';
import { lightsOf, toDo } from './lights';
import { ReplicaTable } from './replica-table';
import { StateBadge } from './state-badge';
import { TodoText } from './todo-text';
import { useSeconds } from './use-seconds';
import { words } from './words';

/** It is read so often while the page is to be seen. */
const POLL_MS = 10_000;

/** Whether the instance is well, and what to do where it is not. */
export const HealthScreen = () => (
  <PlatformFrame title={words.title}>
    <Health />
  </PlatformFrame>
);

function Health() {
  const read = useRead('GET /v1/platform/health', {}, { pollEvery: POLL_MS });
  return (
    <Loaded read={read} lines={12}>
      {(health) => (
        <Stack gap="wide">
          <Stack gap="tight">
            <Row between>
              <Age at={read.dataUpdatedAt} isStale={read.isRefetchError} />
              <Button icon="refresh" busy={read.isFetching} onClick={() => void read.refetch()}>
                {words.refresh}
              </Button>
            </Row>
            <Summary health={health} />
          </Stack>
          <Section title={words.lightsTitle}>
            <ul className={styles.lights} aria-label={words.lightsTitle}>
              {lightsOf(health).map((light) => (
                <LightCard key={light.id} health={health} light={light} />
              ))}
            </ul>
          </Section>
          <Section title={words.lights.replicas}>
            <ReplicaTable replicas={health.replicas.replicas} />
          </Section>
          <Quiet>
            <a href="/docs#/Operations/platform_health_get">{words.rules}</a>. {words.rulesHelp}
          </Quiet>
        </Stack>
      )}
    </Loaded>
  );
}

/** How old the page is: it goes on while nothing new arrives. */
function Age({ at, isStale }: { at: number; isStale: boolean }) {
  const now = useSeconds();
  const text = now - at < 1_500 ? words.justNow : age(new Date(at).toISOString(), now);
  return (
    <Quiet>
      {words.readAt(text)} {isStale && <strong role="alert">{words.stale}</strong>}
    </Quiet>
  );
}

function Summary({ health }: { health: PlatformHealth }) {
  const lights = toDo(lightsOf(health));
  return (
    <>
      <div role="status">
        <Row>
          <StateBadge state={health.state} />
          <strong>{lights.length === 0 ? words.allWell : words.toDo(lights.length)}</strong>
        </Row>
      </div>
      {lights.length > 0 && (
        <ul className={styles.list} aria-label={words.toDoTitle}>
          {lights.map((light) => (
            <li key={light.id}>
              <strong>{titleOf(light)}</strong>: <TodoText light={light} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
