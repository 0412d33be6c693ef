import type { ConsoleScene } from './console-scene';
import type { Administration } from './console-scene-administration';

const SERVER_TABS = ['about', 'tools', 'versions', 'packages', 'document', 'bundles', 'reviews'];
const BUNDLE_TABS = [
  ...['entries', 'connect', 'tools', 'endpoint', 'policies', 'calls', 'accounts', 'versions', 'export'],
  ...['tokens', 'deployments', 'people'],
];
const ACCOUNT_TABS = ['profile', 'sign-in', 'sessions', 'tokens', 'applications', 'log'];

export interface ConsoleScreen {
  name: string;
  path: string;
}

const ORGANISATION_SCREENS: readonly (readonly [string, readonly string[]])[] = [
  ['members', []],
  ['provisioning', ['connect', 'calls', 'tokens', 'domains']],
  ['roles', ['mappings', 'settings', 'runs']],
  ['allow-list', ['servers', 'requests', 'file']],
  ['webhooks', []],
  ['audit-log', []],
];
const ENDPOINT_TABS = ['overview', 'deliveries', 'recover', 'receiver', 'settings'];
const PLATFORM_SCREENS: readonly (readonly [string, readonly string[]])[] = [
  ['categories', []],
  ['imports', []],
  ['moderation', ['listings', 'reviews']],
  ['people', ['accounts', 'invitations']],
  ['clients', []],
  ['health', []],
];

/** A screen, or each of its tabs. */
const tabsOf = (area: string, path: string, [name, tabs]: readonly [string, readonly string[]]): ConsoleScreen[] =>
  tabs.length === 0
    ? [{ name: `${area}, ${name}`, path: `${path}/${name}` }]
    : tabs.map((tab) => ({ name: `${area}, ${name}, ${tab}`, path: `${path}/${name}?tab=${tab}` }));

/** Every screen and tab of the console. */
export function screensOf(scene: ConsoleScene & Administration): ConsoleScreen[] {
  const { bundleId, serverId, orgId, endpointId, deliveryId, documentId } = scene;
  const organisation = `/console/organisations/${orgId}`;
  const endpoint = `${organisation}/webhooks/${endpointId}`;
  return [
    { name: 'home', path: '/console/' },
    { name: 'catalogue', path: '/console/catalogue' },
    { name: 'catalogue, rows', path: '/console/catalogue?q=git&view=rows' },
    { name: 'catalogue, no hit', path: '/console/catalogue?q=qqzzxxyy' },
    ...SERVER_TABS.map((tab) => ({ name: `server, ${tab}`, path: `/console/servers/${serverId}?tab=${tab}` })),
    { name: 'bundles', path: '/console/bundles' },
    ...BUNDLE_TABS.map((tab) => ({ name: `bundle, ${tab}`, path: `/console/bundles/${bundleId}?tab=${tab}` })),
    { name: 'bundle, edit', path: `/console/bundles/${bundleId}/edit` },
    { name: 'requests', path: '/console/requests' },
    ...ACCOUNT_TABS.map((tab) => ({ name: `account, ${tab}`, path: `/console/account?tab=${tab}` })),
    ...ORGANISATION_SCREENS.flatMap((screen) => tabsOf('organisation', organisation, screen)),
    ...ENDPOINT_TABS.map((tab) => ({ name: `webhook, ${tab}`, path: `${endpoint}?tab=${tab}` })),
    { name: 'webhook, delivery', path: `${endpoint}?tab=deliveries&delivery=${deliveryId}` },
    ...PLATFORM_SCREENS.flatMap((screen) => tabsOf('platform', '/console/platform', screen)),
    { name: 'platform, document', path: `/console/platform/imports?document=${documentId}` },
    { name: 'not found', path: '/console/nothing' },
  ];
}
