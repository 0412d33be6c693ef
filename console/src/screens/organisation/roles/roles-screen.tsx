import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useRead } from '../../../api/queries';
import type { ScimSettings } from '../../../api/schema';
import { Button, buttonClass } from '../../../ui/button';
import { Empty, Loaded } from '../../../ui/problem';
import { Tabs } from '../../../ui/tabs';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { MappingsTab } from './mappings-tab';
import { RunsTab } from './runs-tab';
import { SettingsTab } from './settings-tab';
import { SyncDialog } from './sync-dialog';
import { rolesWords as words } from './words';

const ROUTE = '/organisations/$orgId/roles';
const TABS = ['mappings', 'settings', 'runs'] as const;

/** Which groups of the directory give which role. */
export function RolesScreen() {
  const { orgId } = useParams({ from: ROUTE });
  const [isSyncing, setSyncing] = useState(false);
  const sync = (
    <Button icon="refresh" onClick={() => setSyncing(true)}>
      {words.syncNow}
    </Button>
  );
  return (
    <OrganisationFrame orgId={orgId} title={organisationWords.screens.roles} actions={sync}>
      <Roles key={orgId} orgId={orgId} />
      {isSyncing && <SyncDialog orgId={orgId} onClose={() => setSyncing(false)} />}
    </OrganisationFrame>
  );
}

function Roles({ orgId }: { orgId: string }) {
  const path = { org_id: orgId };
  const settings = useRead('GET /v1/organisations/{org_id}/scim/settings', { path });
  const mappings = useList('GET /v1/organisations/{org_id}/scim/role-mappings', { path, query: { limit: 100 } });
  // A directory that was in contact has a token.
  const isSilent = settings.data?.last_contact_at === null;
  const tokens = useList(
    'GET /v1/organisations/{org_id}/scim/tokens',
    { path, query: { limit: 1 } },
    { enabled: isSilent },
  );
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const tab = TABS.find((one) => one === search.tab) ?? 'mappings';
  // As long as it is not known, nothing jumps.
  const hasToken = tokens.data === undefined || tokens.items.length > 0;
  const isConnected = hasToken || mappings.items.length > 0;
  return (
    <Loaded read={settings} lines={6}>
      {(read) => (
        <>
          <Connection orgId={orgId} settings={read} hasToken={hasToken} isConnected={isConnected} />
          <Tabs
            label={words.tabs.label}
            value={tab}
            onChange={(next) => void navigate({ search: { tab: next }, resetScroll: false })}
            tabs={[
              [
                'mappings',
                words.tabs.mappings,
                () => <MappingsTab orgId={orgId} list={mappings} settings={read} isConnected={isConnected} />,
              ],
              ['settings', words.tabs.settings, () => <SettingsTab orgId={orgId} settings={read} />],
              ['runs', words.tabs.runs, () => <RunsTab orgId={orgId} />],
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

interface ConnectionProps {
  orgId: string;
  settings: ScimSettings;
  hasToken: boolean;
  /** Whether groups came before, from a provider or prepared for it. */
  isConnected: boolean;
}

/** What is to be done so that the directory sends groups at all. */
function Connection({ orgId, settings: { last_contact_at, is_stale }, hasToken, isConnected }: ConnectionProps) {
  const params = { orgId };
  if (!isConnected && last_contact_at === null) {
    return (
      <Empty>
        <p>{words.noDirectory}</p>
        <p>{words.noDirectoryHelp}</p>
        <Link to="/organisations/$orgId/provisioning" params={params} className={buttonClass('primary')}>
          {words.connect}
        </Link>
      </Empty>
    );
  }
  if (last_contact_at !== null && !is_stale) return null;
  const state = !hasToken ? words.noDirectory : last_contact_at === null ? words.awaited : words.stale;
  return (
    <p>
      {state}{' '}
      <Link to="/organisations/$orgId/provisioning" params={params}>
        {words.toProvisioning}
      </Link>
    </p>
  );
}
