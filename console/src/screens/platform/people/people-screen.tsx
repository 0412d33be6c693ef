import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from '../../../ui/tabs';
import { PlatformFrame } from '../platform-frame';
import { AccountsTab } from './accounts-tab';
import { InvitationsTab } from './invitations-tab';
import { words } from './words';

const TABS = ['accounts', 'invitations'] as const;

/** Who has an account here, why, and who was invited to have one. */
export const PeopleScreen = () => (
  <PlatformFrame title={words.title}>
    <People />
  </PlatformFrame>
);

function People() {
  const { tab } = useSearch({ from: '/platform/people' });
  const navigate = useNavigate({ from: '/platform/people' });
  const contents = { accounts: () => <AccountsTab />, invitations: () => <InvitationsTab /> };
  return (
    <Tabs
      label={words.tabsLabel}
      value={TABS.find((name) => name === tab) ?? 'accounts'}
      onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
      tabs={TABS.map((name) => [name, words.tabs[name], contents[name]] as const)}
    />
  );
}
