import { useList } from '../../api/queries';
import type { ListingDetail, ListingVersion } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { SelectInput } from '../../ui/field';
import { Quiet, Row, Section, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import { serverRoute } from './server-route';
import styles from './server.module.css';
import { VersionDifferences } from './version-differences';
import { words } from './words';

/** All versions, and what differs between two of them; which two is in the address. */
export function VersionsTab({ listing }: { listing: ListingDetail }) {
  const list = useList('GET /v1/mcp/listings/{listing_id}/versions', { path: { listing_id: listing.id } });
  const { version: from, with: to } = serverRoute.useSearch();
  const navigate = serverRoute.useNavigate();
  const compare = (version: string | undefined, other: string | undefined) =>
    void navigate({ search: { tab: 'versions', version, with: other }, replace: true, resetScroll: false });
  const known = list.items.map(({ version }) => version);
  const options = [...new Set([...known, ...[from, to].filter((version) => version !== undefined)])];
  return (
    <Stack gap="wide">
      {list.data !== undefined && (
        <Section title={words.versions.compare}>
          {options.length < 2 && !list.hasNextPage ? (
            <Quiet>{words.versions.onlyOne}</Quiet>
          ) : (
            <>
              <Quiet>{words.versions.compareHelp}</Quiet>
              <div className={styles.compare}>
                <VersionSelect
                  label={words.versions.older}
                  value={from}
                  options={options}
                  onChange={(version) => compare(version, to)}
                />
                <VersionSelect
                  label={words.versions.newer}
                  value={to}
                  options={options}
                  onChange={(version) => compare(from, version)}
                />
              </div>
              <Compared listing={listing} from={from} to={to} />
            </>
          )}
        </Section>
      )}
      <Section title={words.tabs.versions}>
        <Rows
          list={list}
          label={words.versions.label}
          keyOf={({ version }) => version}
          row={(version) => (
            <VersionRow version={version} onCompare={() => compare(version.version, listing.version)} />
          )}
          height={60}
          empty={<Empty>{words.versions.empty}</Empty>}
        />
      </Section>
    </Stack>
  );
}

interface ComparedProps {
  listing: ListingDetail;
  from: string | undefined;
  to: string | undefined;
}

function Compared({ listing, from, to }: ComparedProps) {
  if (from === undefined || to === undefined) return null;
  if (from === to) return <Quiet>{words.versions.same}</Quiet>;
  return <VersionDifferences listing={listing} from={from} to={to} />;
}

interface VersionSelectProps {
  label: string;
  value: string | undefined;
  options: readonly string[];
  onChange: (version: string | undefined) => void;
}

const VersionSelect = ({ label, value, options, onChange }: VersionSelectProps) => (
  <SelectInput
    label={label}
    value={value ?? ''}
    options={[['', words.versions.choose], ...options.map((option) => [option, shown(option)] as const)]}
    onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
  />
);

function VersionRow({ version, onCompare }: { version: ListingVersion; onCompare: () => void }) {
  const { status, status_message: message } = version;
  return (
    <div className={styles.line}>
      <Row between>
        <Row>
          <strong>
            <OtherText>{version.version}</OtherText>
          </strong>
          {version.is_latest && (
            <Badge tone="accent" icon="check">
              {words.versions.latest}
            </Badge>
          )}
          {status !== 'active' && (
            <Badge tone={status === 'deleted' ? 'bad' : 'warn'} icon="alert">
              {words.versions.statuses[status]}
            </Badge>
          )}
          <Quiet>
            <When at={version.published_at ?? version.created_at} />
          </Quiet>
        </Row>
        {!version.is_latest && (
          <Button look="plain" aria-label={words.versions.compareOf(shown(version.version))} onClick={onCompare}>
            {words.versions.compareWith}
          </Button>
        )}
      </Row>
      {message !== null && (
        <p className={styles.text}>
          <OtherText>{message}</OtherText>
        </p>
      )}
    </div>
  );
}
