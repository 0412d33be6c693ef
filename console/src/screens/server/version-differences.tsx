import { useRead } from '../../api/queries';
import type { ListingDetail } from '../../api/schema';
import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';
import { Lines, Row, Unseen } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Problem, Skeleton } from '../../ui/problem';
import { type Difference, differences } from '../../ui/json-diff';
import styles from './server.module.css';
import { words } from './words';

const LOOKS: Record<Difference['kind'], readonly [Tone, IconName]> = {
  added: ['good', 'plus'],
  removed: ['bad', 'trash'],
  changed: ['warn', 'refresh'],
};

interface VersionDifferencesProps {
  listing: ListingDetail;
  from: string;
  to: string;
}

/** What differs between the server.json of two versions, by the path of what differs. */
export function VersionDifferences({ listing, from, to }: VersionDifferencesProps) {
  const [older, newer] = [useServer(listing, from), useServer(listing, to)];
  const error = older.error ?? newer.error;
  if (error) {
    const retry = () => [older, newer].forEach(({ error: failed, refetch }) => failed && refetch());
    return <Problem error={error} onRetry={retry} />;
  }
  if (older.server === undefined || newer.server === undefined) return <Skeleton lines={4} />;
  const found = differences(older.server, newer.server);
  return (
    <>
      <p role="status">{found.length === 0 ? words.versions.equal : words.versions.differences(found.length)}</p>
      {found.length > 0 && (
        <Lines label={words.versions.compare}>
          {found.map((difference) => (
            <li key={`${difference.kind} ${difference.path}`}>
              <DifferenceRow difference={difference} />
            </li>
          ))}
        </Lines>
      )}
    </>
  );
}

/** Reads the document of a version; that of the latest is in the listing. */
function useServer(listing: ListingDetail, version: string) {
  const isLatest = version === listing.version;
  const read = useRead(
    'GET /v1/mcp/listings/{listing_id}/versions/{version}',
    { path: { listing_id: listing.id, version } },
    { enabled: !isLatest },
  );
  return {
    server: isLatest ? listing.server : read.data?.server,
    error: isLatest ? null : read.error,
    refetch: () => void read.refetch(),
  };
}

function DifferenceRow({ difference: { path, kind, before, after } }: { difference: Difference }) {
  const [tone, icon] = LOOKS[kind];
  return (
    <div className={styles.line}>
      <Row>
        <Badge tone={tone} icon={icon}>
          {words.versions.kinds[kind]}
        </Badge>
        <code className={styles.path}>{path === '' ? words.versions.whole : shown(path)}</code>
      </Row>
      {before !== undefined && (
        <del className={styles.before}>
          <Unseen>{words.versions.before}: </Unseen>
          <code>{before}</code>
        </del>
      )}
      {after !== undefined && (
        <ins className={styles.after}>
          <Unseen>{words.versions.after}: </Unseen>
          <code>{after}</code>
        </ins>
      )}
    </div>
  );
}
