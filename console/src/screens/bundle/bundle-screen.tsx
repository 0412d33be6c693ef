import { lazy, type ReactNode, Suspense } from 'react';
import { useSignedIn } from '../../api/me';
import { useRead } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { Empty, Problem, Skeleton } from '../../ui/problem';
import { OtherText, shown } from '../../ui/other-text';
import { Screen } from '../../ui/screen';
import { Tabs } from '../../ui/tabs';
import { AccountsTab } from './accounts-tab';
import { BundleActions } from './bundle-actions';
import { BundleFigures } from './bundle-figures';
import { isInsider } from './bundle-roles';
import { BUNDLE_TABS, type BundleTab, bundleRoute } from './bundle-route';
import { ConnectTab } from './connect-tab';
import { EntriesTab } from './entries-tab';
import { ExportTab } from './export-tab';
import { oneOf } from './one-of';
import { PeopleTab } from './people-tab';
import { VersionsTab } from './versions-tab';
import { bundleWords } from './words';

// Those who build bundles use these; who connects a client need not load them.
const ToolsTab = lazy(() => import('./tools/tools-tab'));
const EndpointTab = lazy(() => import('./endpoint/endpoint-tab'));
const PoliciesTab = lazy(() => import('./policies/policies-tab'));
const CallsTab = lazy(() => import('./calls/calls-tab'));
const TokensTab = lazy(() => import('./tokens/tokens-tab'));
const DeploymentsTab = lazy(() => import('./deployments/deployments-tab'));

/** They have nothing for others, who see them only at an address that they were given. */
const OF_EDITORS: readonly BundleTab[] = ['endpoint', 'policies', 'calls', 'tokens'];

/** A bundle: what is in it, and how a client gets it. */
export function BundleScreen() {
  const { bundleId } = bundleRoute.useParams();
  const read = useRead('GET /v1/bundles/{bundle_id}', { path: { bundle_id: bundleId } });
  if (read.data) return <ReadBundle bundle={read.data} />;
  return (
    <Screen title={bundleWords.title}>
      {read.error ? <Problem error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={8} />}
    </Screen>
  );
}

function ReadBundle({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  const { tab } = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const ofInsiders = (content: () => ReactNode) => () =>
    isInsider(bundle, me) ? content() : <Empty>{bundleWords.membersOnly}</Empty>;
  const contents: Record<BundleTab, () => ReactNode> = {
    entries: () => <EntriesTab bundle={bundle} />,
    connect: () => <ConnectTab bundle={bundle} />,
    tools: ofInsiders(() => <ToolsTab bundle={bundle} />),
    endpoint: () => <EndpointTab bundle={bundle} />,
    policies: () => <PoliciesTab bundle={bundle} />,
    calls: () => <CallsTab bundle={bundle} />,
    accounts: () => <AccountsTab bundle={bundle} />,
    versions: () => <VersionsTab bundle={bundle} />,
    export: () => <ExportTab bundle={bundle} />,
    tokens: () => <TokensTab bundle={bundle} />,
    deployments: () => <DeploymentsTab bundle={bundle} />,
    people: ofInsiders(() => <PeopleTab bundle={bundle} />),
  };
  return (
    <Screen
      title={shown(bundle.name)}
      heading={<OtherText>{bundle.name}</OtherText>}
      actions={<BundleActions bundle={bundle} />}
    >
      <BundleFigures bundle={bundle} />
      <Tabs
        label={bundleWords.tabsLabel}
        value={oneOf(BUNDLE_TABS, tab)}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={BUNDLE_TABS.filter((name) => bundle.may_modify || name === tab || !OF_EDITORS.includes(name)).map(
          (name) => [name, bundleWords.tabs[name], whenLoaded(contents[name])] as const,
        )}
      />
    </Screen>
  );
}

const whenLoaded = (content: () => ReactNode) => () => (
  <Suspense fallback={<Skeleton lines={6} />}>{content()}</Suspense>
);
