import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asProblem } from '../../api/problem';
import { useRead } from '../../api/queries';
import type { ListingDetail } from '../../api/schema';
import { buttonClass } from '../../ui/button';
import { OtherText, shown } from '../../ui/other-text';
import { Problem, Skeleton } from '../../ui/problem';
import { Screen } from '../../ui/screen';
import { ServerIcon } from '../../ui/server-icon';
import { Tabs } from '../../ui/tabs';
import { AboutTab } from './about-tab';
import { AddToClient } from './add-to-client';
import { ArchivedNotice } from './archived-notice';
import { BundlesTab } from './bundles-tab';
import { DocumentTab } from './document-tab';
import { PackagesTab } from './packages-tab';
import { ReviewsTab } from './reviews-tab';
import { ServerFigures } from './server-figures';
import { SERVER_TABS, serverRoute, type ServerTab } from './server-route';
import styles from './server.module.css';
import { ToolsTab } from './tools-tab';
import { VersionsTab } from './versions-tab';
import { words } from './words';

/** A tool server: what it is, whether it is allowed, and how it gets into a client. */
export function ServerScreen() {
  const { listingId } = serverRoute.useParams();
  const read = useRead('GET /v1/mcp/listings/{listing_id}', { path: { listing_id: listingId } });
  if (read.data) return <ReadServer key={read.data.id} listing={read.data} />;
  return (
    <Screen title={words.title}>
      {read.error ? (
        <>
          <Problem error={read.error} onRetry={() => void read.refetch()} />
          {asProblem(read.error).status === 404 && (
            <div>
              <Link to="/catalogue" className={buttonClass()}>
                {words.toCatalogue}
              </Link>
            </div>
          )}
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </Screen>
  );
}

function ReadServer({ listing }: { listing: ListingDetail }) {
  const { tab } = serverRoute.useSearch();
  const navigate = serverRoute.useNavigate();
  const contents: Record<ServerTab, () => ReactNode> = {
    about: () => <AboutTab listing={listing} />,
    tools: () => <ToolsTab listing={listing} />,
    versions: () => <VersionsTab listing={listing} />,
    packages: () => <PackagesTab listing={listing} />,
    document: () => <DocumentTab listing={listing} />,
    bundles: () => <BundlesTab listing={listing} />,
    reviews: () => <ReviewsTab listing={listing} />,
  };
  return (
    <Screen
      title={shown(listing.title)}
      heading={
        <span className={styles.heading}>
          <ServerIcon listing={listing} />
          <OtherText>{listing.title}</OtherText>
        </span>
      }
    >
      <ServerFigures listing={listing} />
      <ArchivedNotice listing={listing} />
      {listing.status !== 'ARCHIVED' && <AddToClient listing={listing} />}
      <Tabs
        label={words.tabsLabel}
        value={SERVER_TABS.find((name) => name === tab) ?? 'about'}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={SERVER_TABS.map((name) => [name, words.tabs[name], contents[name]] as const)}
      />
    </Screen>
  );
}
