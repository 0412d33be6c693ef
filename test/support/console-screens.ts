import type { ConsoleScene } from './console-scene';

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

/** Every screen and tab of the console. */
export function screensOf({ bundleId, serverId }: ConsoleScene): ConsoleScreen[] {
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
    { name: 'not found', path: '/console/nothing' },
  ];
}
