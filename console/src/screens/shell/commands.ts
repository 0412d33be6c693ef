import { useNavigate } from '@tanstack/react-router';
import { useSignedIn } from '../../api/me';
import { useRead } from '../../api/queries';
import { t } from '../../messages/text';
import type { IconName } from '../../ui/icon';
import { usePaused } from '../../ui/use-paused';
import { usePeople } from './people-commands';
import { administrationScreens } from './administration-screens';
import { applyTheme, THEMES } from './theme';

/** What the palette can do. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  run: () => void;
}

export interface CommandGroup {
  value: string;
  items: Command[];
}

const MAX_SERVERS = 6;
const MAX_BUNDLES = 100;
const MAX_SCREENS = 12;
const PAUSE_MS = 150;
const text = t.shell.palette;

/**
 * @param typed what is in the field
 * @param showCalls shows the last calls as curl
 * @returns the commands that match what is typed, and that the person may run; groups without one are left out
 */
export function useCommands(typed: string, showCalls: () => void): CommandGroup[] {
  const navigate = useNavigate();
  const me = useSignedIn();
  const wanted = typed.trim();
  const words = usePaused(wanted, PAUSE_MS);
  const servers = useRead(
    'GET /v1/mcp/listings',
    { query: { search: words, scope: 'visible', limit: MAX_SERVERS } },
    { enabled: words !== '', keepsFormer: true },
  );
  const bundles = useRead('GET /v1/bundles', { query: { limit: MAX_BUNDLES } });
  const people = usePeople(words);
  const matches = (label: string) => label.toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
  const isMember = me.organisations.some(({ role }) => role !== null);
  const screens: Command[] = [
    { id: 'home', label: t.shell.home, icon: 'home', run: () => void navigate({ to: '/' }) },
    { id: 'catalogue', label: t.shell.catalogue, icon: 'server', run: () => void navigate({ to: '/catalogue' }) },
    { id: 'bundles', label: t.shell.bundles, icon: 'bundle', run: () => void navigate({ to: '/bundles' }) },
    ...(isMember
      ? [
          {
            id: 'requests',
            label: t.shell.requests,
            icon: 'bell',
            run: () => void navigate({ to: '/requests' }),
          } as const,
        ]
      : []),
    { id: 'account', label: t.shell.account, icon: 'person', run: () => void navigate({ to: '/account' }) },
    ...(wanted === '' ? [] : administrationScreens(me, navigate)),
  ];
  const actions: Command[] = [
    ...(isMember
      ? [
          {
            id: 'ask',
            label: t.requests.ask,
            icon: 'plus',
            run: () => void navigate({ to: '/requests', search: { ask: '1' } }),
          } as const,
        ]
      : []),
    {
      id: 'create-bundle',
      label: text.createBundle,
      icon: 'bundle',
      run: () => void navigate({ to: '/bundles', search: { create: '1' } }),
    },
    { id: 'curl', label: t.shell.asCurl, icon: 'terminal', run: showCalls },
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: text.theme(t.shell.themes[theme]),
      icon: 'sun' as const,
      run: () => applyTheme(theme),
    })),
    { id: 'docs', label: t.shell.docs, icon: 'info', run: () => window.location.assign('/docs') },
    { id: 'sign-out', label: t.shell.signOut, icon: 'out', run: () => window.location.assign('/sign-out') },
  ];
  // Enter must not open what was found for other words.
  const isFound = wanted !== '' && wanted === words && !servers.isPlaceholderData;
  const found: Command[] = (isFound ? (servers.data ?? []) : []).map(({ id, title }) => ({
    id,
    label: title,
    icon: 'server',
    run: () => void navigate({ to: '/servers/$listingId', params: { listingId: id } }),
  }));
  const searchFor: Command[] =
    wanted === ''
      ? []
      : [
          {
            id: 'search',
            label: text.searchFor(wanted),
            icon: 'search',
            run: () => void navigate({ to: '/catalogue', search: { q: wanted } }),
          },
        ];
  const ownBundles: Command[] = (bundles.data ?? []).map(({ id, name }) => ({
    id,
    label: name,
    icon: 'bundle',
    run: () => void navigate({ to: '/bundles/$bundleId', params: { bundleId: id } }),
  }));
  return [
    { value: text.screens, items: screens.filter(({ label }) => matches(label)).slice(0, MAX_SCREENS) },
    { value: text.servers, items: [...found, ...searchFor] },
    { value: text.bundles, items: wanted === '' ? [] : ownBundles.filter(({ label }) => matches(label)) },
    { value: text.people, items: wanted === words ? people : [] },
    { value: text.actions, items: actions.filter(({ label }) => matches(label)) },
  ].filter(({ items }) => items.length > 0);
}
