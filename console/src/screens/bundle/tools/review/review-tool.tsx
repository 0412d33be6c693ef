import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { asProblem } from '../../../../api/problem';
import { useRead } from '../../../../api/queries';
import type { Bundle, BundleToolChanges } from '../../../../api/schema';
import { Button } from '../../../../ui/button';
import { Quiet, Row, Stack } from '../../../../ui/layout';
import { OtherText, shown } from '../../../../ui/other-text';
import { Problem, Skeleton } from '../../../../ui/problem';
import { notify } from '../../../../ui/toasts';
import { When } from '../../../../ui/when';
import { Findings } from '../findings';
import { formerOf } from '../former-definition';
import { approveTools, type Detail, readToolsAgain, switchTool } from '../rule-tools';
import { StateBadge } from '../state-badge';
import { isHeld } from '../tool-filters';
import styles from '../tools.module.css';
import { toolsWords } from '../words';
import { DefinitionDifference } from './definition-difference';

const words = toolsWords.review;

interface ReviewToolProps {
  bundle: Bundle;
  toolId: string;
  /** Which of how many it is, if that is known. */
  place: readonly [number, number] | undefined;
  /** It was approved, or left: the next one. */
  onDecided: () => void;
}

/** What its server has changed of a tool, and what an editor says to that. */
export function ReviewTool({ bundle, toolId, place, onDecided }: ReviewToolProps) {
  const path = { bundle_id: bundle.id, tool_id: toolId };
  const detail = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', { path });
  const changes = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}/changes', { path });
  const error = detail.error ?? changes.error;
  if (error) return <Problem error={error} onRetry={() => void readToolsAgain()} />;
  if (!detail.data || !changes.data) return <Skeleton lines={10} />;
  return (
    <Comparison
      bundle={bundle}
      detail={detail.data}
      changes={changes.data}
      place={place}
      onDecided={onDecided}
      isReading={detail.isFetching || changes.isFetching}
    />
  );
}

interface ComparisonProps extends Omit<ReviewToolProps, 'toolId'> {
  detail: Detail;
  changes: BundleToolChanges;
  isReading: boolean;
}

function Comparison({ bundle, detail, changes, place, onDecided, isReading }: ComparisonProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The digest that the person looked at first: if another comes in its place, it says so.
  const [looked, setLooked] = useState(detail.digest);
  const hasChanged = looked !== detail.digest;
  useEffect(() => heading.current?.focus(), []);
  const approve = useMutation({
    mutationFn: () => approveTools(bundle.id, [detail]),
    onSuccess: () => {
      notify(words.approved(shown(detail.name)));
      onDecided();
    },
    onError: (error) => {
      if (asProblem(error).status === 409) void readToolsAgain();
    },
  });
  const switchOff = useMutation({ mutationFn: () => switchTool(bundle.id, detail, false), onSuccess: onDecided });
  const { definition } = detail;
  // The two answers may be of different moments.
  const isOne = changes.after_digest === detail.digest;
  const former =
    definition && isOne && changes.before_digest !== null && changes.change_count === changes.changes.length
      ? formerOf(definition, changes.changes)
      : undefined;
  const problem = approve.error ?? switchOff.error;
  const isBusy = approve.isPending || switchOff.isPending;
  return (
    <Stack>
      <div>
        {place && <Quiet>{words.place(...place)}</Quiet>}
        <Row between>
          <h2 ref={heading} tabIndex={-1}>
            {words.title} <code>{shown(detail.name)}</code>
          </h2>
          <StateBadge state={detail.state} />
        </Row>
        <Quiet>
          <OtherText>{detail.entry_key}</OtherText> · {words.noticed} <When at={detail.changed_at} />
        </Quiet>
      </div>
      {hasChanged && (
        <div className={styles.held} role="alert">
          <span className={styles.grow}>
            <strong>{words.meanwhile}</strong> {words.meanwhileHelp}
          </span>
          <Button onClick={() => setLooked(detail.digest)}>{words.seen}</Button>
        </div>
      )}
      <Findings findings={detail.findings} />
      {!isHeld(detail) && <p>{words.notHeld}</p>}
      {definition === null ? (
        <p>{words.unknown}</p>
      ) : !isOne ? (
        <Skeleton lines={6} />
      ) : (
        <DefinitionDifference
          former={former}
          definition={definition}
          changes={changes}
          isNew={detail.state === 'NEW'}
        />
      )}
      {problem && asProblem(problem).status !== 409 && <Problem error={problem} />}
      {isHeld(detail) && (
        <div className={styles.bar} role="group" aria-label={words.decide}>
          <div className={styles.foot}>
            <Button
              look="primary"
              icon="check"
              busy={isBusy || isReading}
              disabled={definition === null || !isOne || hasChanged}
              onClick={() => approve.mutate()}
            >
              {words.approve}
            </Button>
            <Button onClick={onDecided}>{words.leave}</Button>
            <Button icon="pause" busy={isBusy} onClick={() => switchOff.mutate()}>
              {words.switchOff}
            </Button>
          </div>
        </div>
      )}
    </Stack>
  );
}
