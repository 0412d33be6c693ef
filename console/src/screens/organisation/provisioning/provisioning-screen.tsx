import { Link, useParams, useSearch } from '@tanstack/react-router';
import { buttonClass } from '../../../ui/button';
import { Tabs } from '../../../ui/tabs';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { CallsTab } from './calls-tab';
import { ConnectTab } from './connect-tab';
import { Domains } from './domains';
import { EntryDialog } from './entry-dialog';
import { Guide } from './guide';
import { providerOf } from './provider';
import { TokensTab } from './tokens-tab';
import { usePlace } from './use-place';
import { words } from './words';

const FROM = '/organisations/$orgId/provisioning';
const TABS = ['connect', 'calls', 'tokens', 'domains'] as const;

/** How a directory is connected: a guide for each identity provider, its calls, tokens, and domains. */
export function ProvisioningScreen() {
  const { orgId } = useParams({ from: FROM });
  const { provider } = useSearch({ from: FROM });
  const chosen = providerOf(provider);
  return (
    <OrganisationFrame
      orgId={orgId}
      title={chosen ? words.guide.title(words.providers[chosen].name) : organisationWords.screens.provisioning}
      actions={
        chosen && (
          <Link to={FROM} params={{ orgId }} className={buttonClass()}>
            {words.guide.leave}
          </Link>
        )
      }
    >
      {chosen ? <Guide key={chosen} provider={chosen} /> : <Parts />}
      <EntryDialog />
    </OrganisationFrame>
  );
}

function Parts() {
  const { orgId, search, go } = usePlace();
  const tab = TABS.find((one) => one === search.tab) ?? 'connect';
  return (
    <Tabs
      label={words.tabs.label}
      value={tab}
      onChange={(next) => go({ tab: next, failed: undefined, token: undefined })}
      tabs={[
        ['connect', words.tabs.connect, () => <ConnectTab orgId={orgId} />],
        ['calls', words.tabs.calls, () => <CallsTab />],
        ['tokens', words.tabs.tokens, () => <TokensTab orgId={orgId} />],
        ['domains', words.tabs.domains, () => <Domains orgId={orgId} />],
      ]}
    />
  );
}
