import { useParams } from '@tanstack/react-router';
import { Button } from '../../../ui/button';
import { Tabs } from '../../../ui/tabs';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { AllowDialog } from './allow-dialog';
import { FileTab } from './file-tab';
import { RequestsTab } from './requests-tab';
import { ServersTab } from './servers-tab';
import { StopDialog } from './stop-dialog';
import { usePlace } from './use-place';
import { words } from './words';

const TABS = ['servers', 'requests', 'file'] as const;
/** As the value of `allow`: which server is chosen in the window. */
const ANY = 'any';

/** Which servers members may use, what they ask for, and the file for managed clients. */
export function AllowListScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/allow-list' });
  return (
    <OrganisationFrame orgId={orgId} title={organisationWords.screens.allowList} actions={<AllowButton />}>
      <Parts />
    </OrganisationFrame>
  );
}

function AllowButton() {
  const { go } = usePlace();
  return (
    <Button look="primary" icon="plus" onClick={() => go({ allow: ANY })}>
      {words.allow.action}
    </Button>
  );
}

function Parts() {
  const { orgId, search, go } = usePlace();
  const tab = TABS.find((one) => one === search.tab) ?? 'servers';
  return (
    <>
      <Tabs
        label={words.tabs.label}
        value={tab}
        onChange={(next) => go({ tab: next })}
        tabs={[
          ['servers', words.tabs.servers, () => <ServersTab />],
          ['requests', words.tabs.requests, () => <RequestsTab />],
          ['file', words.tabs.file, () => <FileTab />],
        ]}
      />
      {search.allow !== undefined && (
        <AllowDialog
          orgId={orgId}
          listingId={search.allow === ANY ? undefined : search.allow}
          onChoose={(id) => go({ allow: id ?? ANY }, true)}
          onClose={() => go({ allow: undefined }, true)}
        />
      )}
      {search.stop !== undefined && (
        <StopDialog orgId={orgId} listingId={search.stop} onClose={() => go({ stop: undefined }, true)} />
      )}
    </>
  );
}
