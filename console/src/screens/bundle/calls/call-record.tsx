import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Bundle } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button, buttonClass } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { CallRow } from './call-row';
import styles from './calls.module.css';
import type { CallSearch } from './calls-tab';
import { type CallFilter, isNarrowed } from './filter';
import type { Names } from './use-names';
import { useRecord } from './use-record';
import { useScrolledPast } from './use-scrolled-past';
import { callsWords } from './words';

const words = callsWords.record;

/** As in the style sheet, with the line above: where it is right, nothing has to be placed again while one scrolls. */
const ROW_HEIGHT = 49;

interface CallRecordProps {
  bundle: Bundle;
  filter: CallFilter;
  from: string;
  names: Names;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
  /** Begins again with the newest calls. */
  onReopen: () => void;
  onChoose: (next: CallSearch) => void;
}

/** Each call, newest first. New ones appear at the top, but never push away what a person reads. */
export function CallRecord({ bundle, filter, from, names, isLive, onLive, onReopen, onChoose }: CallRecordProps) {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  // The reading of the first page with which a person began to read.
  const [upTo, setUpTo] = useState<number>();
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, round, held, hasGap, pollError } = useRecord(bundle.id, filter, { from, isLive, upTo });
  const [top, isScrolled] = useScrolledPast();
  const isReading = isScrolled || openIds.size > 0;
  if (isReading && upTo === undefined) setUpTo(round);
  if (!isReading && upTo !== undefined) setUpTo(undefined);
  useEffect(() => {
    if (hasGap && !isReading) onReopen();
  }, [hasGap, isReading, onReopen]);

  const toggle = useCallback(
    (id: string) => setOpenIds((ids) => new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
    [],
  );
  const showNew = () => {
    setOpenIds(new Set());
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
    setUpTo(round);
    if (hasGap) onReopen();
  };
  return (
    <section aria-labelledby="call-record" className={styles.part}>
      <Row between>
        <h2 id="call-record" ref={heading} tabIndex={-1} className={styles.anchor}>
          {words.label}
        </h2>
        <Row>
          <span role="status">
            <Badge tone={isLive ? 'good' : 'warn'} icon={isLive ? 'play' : 'pause'}>
              {isLive ? callsWords.live.on : callsWords.live.paused}
            </Badge>
          </span>
          <Button icon={isLive ? 'pause' : 'play'} onClick={() => onLive(!isLive)}>
            {isLive ? callsWords.live.pause : callsWords.live.goOn}
          </Button>
        </Row>
      </Row>
      {pollError && list.data !== undefined && <Problem error={pollError} />}
      {isReading && (held > 0 || hasGap) && (
        <div className={styles.arrived}>
          <Button look="primary" icon="up" onClick={showNew}>
            {hasGap ? callsWords.live.manyArrived : callsWords.live.arrived(number(held), held === 1)}
          </Button>
        </div>
      )}
      <div>
        <div ref={top} />
        {list.items.length > 0 && <Columns />}
        <Rows
          list={list}
          label={words.label}
          keyOf={({ id }) => id}
          height={ROW_HEIGHT}
          readsOn
          row={(call) => (
            <CallRow
              call={call}
              who={names.ofPrincipal(call.principal)}
              server={call.entry_id === null ? words.noServer : names.ofEntry(call.entry_key)}
              isOpen={openIds.has(call.id)}
              onToggle={toggle}
              bundleId={bundle.id}
              onChoose={onChoose}
            />
          )}
          empty={<NoCalls bundleId={bundle.id} filter={filter} onChoose={onChoose} />}
        />
      </div>
    </section>
  );
}

/** What the places of a row are, for those who see them beside each other; each row says it by itself, too. */
const Columns = () => (
  <div className={styles.columns} aria-hidden="true">
    {(['when', 'tool', 'who', 'server', 'outcome', 'duration', 'client'] as const).map((column) => (
      <span key={column}>{words.columns[column]}</span>
    ))}
  </div>
);

function NoCalls({ bundleId, filter, onChoose }: { bundleId: string } & Pick<CallRecordProps, 'filter' | 'onChoose'>) {
  if (isNarrowed(filter)) {
    return (
      <Empty>
        <p>{words.noHit}</p>
        <Button onClick={() => onChoose({ tool: undefined, entry: undefined, outcome: undefined, person: undefined })}>
          {callsWords.filters.clear}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>{words.empty}</p>
      <p>{words.emptyHelp}</p>
      <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'connect' }} className={buttonClass()}>
        {words.connect}
      </Link>
    </Empty>
  );
}
