import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../ui/screen';
import { Tabs } from '../../ui/tabs';
import { ApplicationsTab } from './applications-tab';
import { LogTab } from './log-tab';
import { ProfileTab } from './profile-tab';
import { SessionsTab } from './sessions-tab';
import { SignInTab } from './sign-in-tab';
import { TokensTab } from './tokens-tab';
import { accountWords } from './words';

const route = getRouteApi('/account');

const TABS = ['profile', 'sign-in', 'sessions', 'tokens', 'applications', 'log'] as const;
const CONTENTS: Record<(typeof TABS)[number], () => ReactNode> = {
  profile: () => <ProfileTab />,
  'sign-in': () => <SignInTab />,
  sessions: () => <SessionsTab />,
  tokens: () => <TokensTab />,
  applications: () => <ApplicationsTab />,
  log: () => <LogTab />,
};

/** The person's own account: who they are here, how they sign in, and what acts for them. */
export function AccountScreen() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Screen title={accountWords.title}>
      <Tabs
        label={accountWords.tabsLabel}
        value={TABS.find((name) => name === tab) ?? 'profile'}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={TABS.map((name) => [name, accountWords.tabs[name], CONTENTS[name]] as const)}
      />
    </Screen>
  );
}
