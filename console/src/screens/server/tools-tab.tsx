import { Link } from '@tanstack/react-router';
import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import type { ListingBundle, ListingDetail } from '../../api/schema';
import { buttonClass } from '../../ui/button';
import { SelectInput } from '../../ui/field';
import { Row, Section, Stack } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty, Problem, Skeleton } from '../../ui/problem';
import { More, Rows } from '../../ui/rows';
import { isInsider } from '../bundle/bundle-roles';
import { serverRoute } from './server-route';
import styles from './server.module.css';
import { ToolRow } from './tool-row';
import { words } from './words';

/** The tools of the server as one of the bundles that contain it knows them; no server is asked for them here. */
export function ToolsTab({ listing }: { listing: ListingDetail }) {
  const me = useSignedIn();
  const list = useList('GET /v1/mcp/listings/{listing_id}/bundles', { path: { listing_id: listing.id } });
  const { bundle: chosenId } = serverRoute.useSearch();
  const navigate = serverRoute.useNavigate();
  if (list.data === undefined) {
    return list.error ? <Problem error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={6} />;
  }
  const bundles = list.items.filter((bundle) => isInsider(bundle, me));
  // Hidden from members only: the list may go on with bundles of theirs.
  const more = <More list={list} />;
  const chosen = bundles.find(({ id }) => id === chosenId) ?? bundles[0];
  if (!chosen) {
    return (
      <Stack>
        <NoBundle isOutside={list.items.length > 0} />
        {more}
      </Stack>
    );
  }
  return (
    <Section title={words.tabs.tools}>
      <div className={styles.narrow}>
        <SelectInput
          label={words.tools.bundle}
          value={chosen.id}
          options={bundles.map(({ id, name }) => [id, shown(name)] as const)}
          onChange={(event) =>
            void navigate({ search: { tab: 'tools', bundle: event.target.value }, replace: true, resetScroll: false })
          }
        />
        {more}
      </div>
      <BundleTools key={chosen.entry_id} bundle={chosen} />
    </Section>
  );
}

function BundleTools({ bundle }: { bundle: ListingBundle }) {
  const list = useList('GET /v1/bundles/{bundle_id}/tools', {
    path: { bundle_id: bundle.id },
    query: { entry_id: bundle.entry_id, limit: 50 },
  });
  return (
    <>
      <Rows
        list={list}
        label={words.tools.label}
        keyOf={({ id }) => id}
        row={(tool) => <ToolRow bundleId={bundle.id} tool={tool} />}
        height={120}
        empty={
          <Empty>
            <p>{words.tools.none}</p>
            <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} className={buttonClass()}>
              {words.tools.toBundle}
            </Link>
          </Empty>
        }
      />
      {list.items.length > 0 && (
        <Row>
          <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} search={{ tab: 'accounts' }}>
            {words.tools.accounts}
          </Link>
        </Row>
      )}
    </>
  );
}

const NoBundle = ({ isOutside }: { isOutside: boolean }) => (
  <Empty>
    <h2>{words.tools.empty}</h2>
    <p>{isOutside ? words.tools.outside : words.tools.emptyHelp}</p>
    <Link to="/bundles" className={buttonClass()}>
      {words.tools.toBundles}
    </Link>
  </Empty>
);
