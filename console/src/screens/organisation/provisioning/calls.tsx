import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLiveList } from '../../../api/live';
import type { ScimLogEntry } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Row, Section, Unseen } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { CallRow } from './call-row';
import type { Provider } from './provider';
import styles from './provisioning.module.css';
import { usePlace } from './use-place';
import { titleOfCall, words } from './words';

const text = words.calls;

/** A call is seen within 2.5 s after it was made. */
const POLL_MS = 1_500;

interface CallsProps {
  /** Whose words are used to say what to mend. */
  providerOf: (call: ScimLogEntry) => Provider;
  /** What is shown before the first call. */
  empty?: ReactNode;
}

/** The calls of the identity provider, each with its answer and what to mend, newest first. */
export function Calls({ providerOf, empty }: CallsProps) {
  const { orgId, search, go } = usePlace();
  const [isPaused, setPaused] = useState(false);
  const query = {
    limit: 50,
    ...(search.failed !== undefined && { failed: true }),
    ...(search.token !== undefined && { token_id: search.token }),
  };
  const list = useLiveList(
    'GET /v1/organisations/{org_id}/scim/log',
    { path: { org_id: orgId }, query },
    isPaused ? undefined : POLL_MS,
  );
  const none = search.failed === undefined ? <NoCalls /> : <Empty>{text.noneFailed}</Empty>;
  return (
    <Section
      title={text.title}
      aside={
        <Row>
          <span className={styles.live}>
            <span className={styles.dot} data-paused={isPaused || undefined} />
            {isPaused ? text.paused : text.live}
          </span>
          <Button icon={isPaused ? 'play' : 'pause'} onClick={() => setPaused(!isPaused)}>
            {isPaused ? text.resume : text.pause}
          </Button>
        </Row>
      }
    >
      <Arrivals newest={list.items[0]} hasRead={list.data !== undefined} />
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(call) => <CallRow call={call} provider={providerOf(call)} onOpen={(id) => go({ entry: id })} />}
        height={72}
        empty={search.failed === undefined ? (empty ?? none) : none}
      />
    </Section>
  );
}

const NoCalls = () => (
  <Empty>
    <p>{text.none}</p>
    <p>{text.noneHelp}</p>
  </Empty>
);

/** Tells those who hear the page of a new call. */
function Arrivals({ newest, hasRead }: { newest: ScimLogEntry | undefined; hasRead: boolean }) {
  const known = useRef<string | undefined>(undefined);
  const [told, setTold] = useState('');
  useEffect(() => {
    if (!hasRead) return;
    const id = newest?.id ?? '';
    if (known.current !== undefined && known.current !== id && newest) {
      setTold(text.arrived(titleOfCall(newest), String(newest.status)));
    }
    known.current = id;
  }, [newest, hasRead]);
  return (
    <div role="status">
      <Unseen>{told}</Unseen>
    </div>
  );
}
