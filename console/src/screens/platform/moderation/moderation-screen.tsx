import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from '../../../ui/tabs';
import { PlatformFrame } from '../platform-frame';
import { ListingsTab } from './listings-tab';
import { ReviewsTab } from './reviews-tab';
import { words } from './words';

const TABS = ['listings', 'reviews'] as const;

/** What is or was public, and what people wrote about it. */
export const ModerationScreen = () => (
  <PlatformFrame title={words.title}>
    <Moderation />
  </PlatformFrame>
);

function Moderation() {
  const { tab } = useSearch({ from: '/platform/moderation' });
  const navigate = useNavigate({ from: '/platform/moderation' });
  const contents = { listings: () => <ListingsTab />, reviews: () => <ReviewsTab /> };
  return (
    <Tabs
      label={words.tabsLabel}
      value={TABS.find((name) => name === tab) ?? 'listings'}
      onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
      tabs={TABS.map((name) => [name, words.tabs[name], contents[name]] as const)}
    />
  );
}
