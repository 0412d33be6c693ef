import { Link, useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { asProblem } from '../../api/problem';
import { useChange, useRead } from '../../api/queries';
import type { Bundle, BundleVersionDetail, VersionComparison } from '../../api/schema';
import { Button, buttonClass } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { TextInput } from '../../ui/field';
import { Card, Quiet, Row, Stack } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import { Empty, Loaded, Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { Differences } from './comparison';
import { limitsOf } from './restore-limits';
import styles from './bundle.module.css';
import { groupsOf, toolCountOf } from './version-changes';
import { bundleWords } from './words';

const words = bundleWords.restoring;

const BUNDLE = 'GET /v1/bundles/{bundle_id}';
const CHANGED_WITH_IT = [
  BUNDLE,
  'GET /v1/bundles',
  'GET /v1/bundles/{bundle_id}/versions',
  'GET /v1/bundles/{bundle_id}/entries',
  'GET /v1/bundles/{bundle_id}/tools',
  'GET /v1/bundles/{bundle_id}/credential-needs',
  'GET /v1/bundles/{bundle_id}/deployments',
] as const;

const WAYS = ['as-then', 'pinned'] as const;
type Way = (typeof WAYS)[number];
const MAX_NOTE = 500;

interface RestoreVersionProps {
  bundle: Bundle;
  /** The version that is restored. */
  number: number;
}

/** What would change if a former version came back; then it is restored as a new one. */
export function RestoreVersion({ bundle, number }: RestoreVersionProps) {
  const path = { bundle_id: bundle.id };
  const comparison = useRead('GET /v1/bundles/{bundle_id}/versions/{number}/compare', {
    path: { ...path, number: bundle.version },
    query: { with: number },
  });
  const version = useRead('GET /v1/bundles/{bundle_id}/versions/{number}', { path: { ...path, number } });
  if (!bundle.may_modify) return <Empty>{words.onlyEditors}</Empty>;
  return (
    <Card>
      <Stack>
        <Row between>
          <h2>{words.title(number)}</h2>
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId: bundle.id }}
            search={{ tab: 'versions' }}
            className={buttonClass()}
          >
            {bundleWords.versions.all}
          </Link>
        </Row>
        <p>{words.help(bundle.version)}</p>
        <Loaded read={comparison}>
          {(changes) => (
            <Stack>
              <Differences comparison={changes} isRestored />
              <Loaded read={version} lines={2}>
                {(detail) => <Limits detail={detail} />}
              </Loaded>
              <RestoreForm key={`${changes.from} ${number}`} bundle={bundle} number={number} comparison={changes} />
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

/** What comes back without working. */
function Limits({ detail }: { detail: BundleVersionDetail }) {
  const limits = limitsOf(detail.entries);
  if (limits.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="restore-limits">
      <h3 id="restore-limits">{words.limits}</h3>
      <ul className={styles.plainList}>
        {limits.map(({ entry, limit }) => (
          <li key={entry.id}>
            <OtherText>{entry.listing_name ?? bundleWords.unseen}</OtherText>: {words.limitHelp[limit]}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RestoreForm({ bundle, number, comparison }: RestoreVersionProps & { comparison: VersionComparison }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [way, setWay] = useState<Way>('as-then');
  const [note, setNote] = useState('');
  const [movedTo, setMovedTo] = useState<number>();
  const restore = useChange('POST /v1/bundles/{bundle_id}/versions/{number}/restore', CHANGED_WITH_IT);
  const path = { bundle_id: bundle.id };
  const isSame = groupsOf(comparison).length === 0 && toolCountOf(comparison) === 0;

  const submit = () =>
    restore.mutate(
      {
        path: { ...path, number },
        body: { pin: way === 'pinned', base_version: comparison.from, ...(note !== '' && { note }) },
      },
      {
        onSuccess: (restored) => {
          notify(restored.number === comparison.from ? words.nothing(number) : words.restored(number, restored.number));
          void navigate({ to: '/bundles/$bundleId', params: { bundleId: bundle.id }, search: { tab: 'versions' } });
        },
        onError: (problem) => {
          if (problem.code === 'bundle_conflict') void findOut();
        },
      },
    );
  /** Whether another person has changed the bundle since the preview. */
  const findOut = async () => {
    try {
      setMovedTo((await call(BUNDLE, { path })).version);
    } catch {
      // What the API said of the restoration is shown.
    }
  };

  if (movedTo !== undefined && movedTo !== comparison.from) {
    return (
      <div role="alert" className={styles.part}>
        <p>{words.moved(movedTo)}</p>
        <Row>
          <Button look="primary" icon="refresh" onClick={() => void client.invalidateQueries({ queryKey: [BUNDLE] })}>
            {words.previewAgain}
          </Button>
        </Row>
      </div>
    );
  }
  return (
    <Stack>
      <Choice
        legend={words.ways}
        value={way}
        onChange={setWay}
        options={WAYS.map((one) => [one, words.way[one]] as const)}
      />
      <Quiet>{words.wayHelp[way]}</Quiet>
      <TextInput
        label={words.note}
        value={note}
        maxLength={MAX_NOTE}
        onChange={(event) => setNote(event.target.value)}
      />
      {restore.error && (
        <Stack gap="tight">
          <Problem error={restore.error} />
          {asProblem(restore.error).code === 'listing_version_conflict' && <p>{words.versionGone}</p>}
        </Stack>
      )}
      <Row>
        <Button look="primary" busy={restore.isPending} onClick={submit} disabled={isSame && way === 'as-then'}>
          {words.restore(number)}
        </Button>
        <Link
          to="/bundles/$bundleId"
          params={{ bundleId: bundle.id }}
          search={{ tab: 'versions' }}
          className={buttonClass()}
        >
          {words.cancel}
        </Link>
      </Row>
    </Stack>
  );
}
