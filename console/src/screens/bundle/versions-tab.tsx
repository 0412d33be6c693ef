import { Link } from '@tanstack/react-router';
import { useSignedIn } from '../../api/me';
import { useList, useRead } from '../../api/queries';
import type { Bundle, BundleVersion } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Row, Stack } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { OtherText } from '../../ui/other-text';
import { When } from '../../ui/when';
import styles from './bundle.module.css';
import { isInsider } from './bundle-roles';
import { bundleRoute } from './bundle-route';
import { CompareForm } from './compare-form';
import { Comparison } from './comparison';
import { RestoreVersion } from './restore-version';
import { changesOf, versionNumber } from './version-changes';
import { bundleWords } from './words';

const words = bundleWords.versions;

/** How the bundle came to be, or what differs between two of its versions, or comes back with one, if the address names them. */
export function VersionsTab({ bundle }: { bundle: Bundle }) {
  const search = bundleRoute.useSearch();
  const from = versionNumber(search.version, bundle.version);
  const to = versionNumber(search.with, bundle.version);
  const restored = versionNumber(search.restore, bundle.version);
  if (restored !== undefined && restored < bundle.version) return <RestoreVersion bundle={bundle} number={restored} />;
  return (
    <Stack>
      {bundle.version > 1 && <CompareForm key={`${from} ${to}`} bundle={bundle} from={from} to={to} />}
      {from !== undefined && to !== undefined && from !== to ? (
        <Comparison bundle={bundle} from={from} to={to} />
      ) : (
        <Timeline bundle={bundle} />
      )}
    </Stack>
  );
}

function Timeline({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  const list = useList('GET /v1/bundles/{bundle_id}/versions', {
    path: { bundle_id: bundle.id },
    query: { limit: 50 },
  });
  // The versions have ids of people; this list has most of their names.
  const editors = useRead(
    'GET /v1/bundles/{bundle_id}/editors',
    { path: { bundle_id: bundle.id }, query: { limit: 100 } },
    { enabled: isInsider(bundle, me) },
  );
  const nameOf = (id: string): string => {
    if (id === me.id) return words.you;
    const editor = editors.data?.find(({ user_id }) => user_id === id);
    const name = editor?.name ?? editor?.email;
    return name ? shown(name) : words.other;
  };
  return (
    <Rows
      list={list}
      label={words.label}
      keyOf={({ number }) => String(number)}
      row={(version) => <VersionEvent bundle={bundle} version={version} nameOf={nameOf} />}
      height={88}
      empty={<Empty>{words.empty}</Empty>}
    />
  );
}

interface VersionEventProps {
  bundle: Bundle;
  version: BundleVersion;
  nameOf: (id: string) => string;
}

function VersionEvent({ bundle, version, nameOf }: VersionEventProps) {
  const { number, action, changes, restored_from, note, made_by, created_at, entry_count } = version;
  const changed = changesOf(changes).map(([group, count]) => words.changes[group](count));
  const params = { bundleId: bundle.id };
  return (
    <div className={styles.event}>
      <Row between>
        <div className={styles.grow}>
          <Row>
            <span className={styles.title}>{words.number(number)}</span>
            {number === bundle.version && <Badge tone="accent">{words.latest}</Badge>}
          </Row>
          <span>
            {words.actions[action]}
            {restored_from !== null && ` ${words.restoredFrom(restored_from)}`}
            {changed.length > 0 && ` (${listOf(changed)})`}
          </span>
          {note !== null && (
            <q>
              <OtherText>{note}</OtherText>
            </q>
          )}
          <ul className={styles.facts}>
            <li>
              <When at={created_at} />
              {made_by !== null && (
                <>
                  {' '}
                  {words.by} <bdi>{nameOf(made_by)}</bdi>
                </>
              )}
            </li>
            <li>{words.withEntries(entry_count)}</li>
          </ul>
        </div>
        <Row>
          {bundle.may_modify && number < bundle.version && (
            <Link
              to="/bundles/$bundleId"
              params={params}
              search={{ tab: 'versions', restore: String(number) }}
              aria-label={bundleWords.restoring.open(number)}
              resetScroll
            >
              {bundleWords.restoring.openShort}
            </Link>
          )}
          {number > 1 && (
            <Link
              to="/bundles/$bundleId"
              params={params}
              search={{ tab: 'versions', version: String(number - 1), with: String(number) }}
              aria-label={words.compareBeforeOf(number)}
              resetScroll
            >
              {words.compareBefore}
            </Link>
          )}
          <Link
            to="/bundles/$bundleId"
            params={params}
            search={{ tab: 'export', version: String(number) }}
            aria-label={words.exportOf(number)}
          >
            {words.export}
          </Link>
        </Row>
      </Row>
    </div>
  );
}
