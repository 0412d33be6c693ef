import { getRouteApi } from '@tanstack/react-router';

/** The address of the screen of a bundle, for its parts. */
export const bundleRoute = getRouteApi('/bundles/$bundleId');

export const BUNDLE_TABS = [
  'entries',
  'connect',
  'tools',
  'endpoint',
  'policies',
  'calls',
  'accounts',
  'versions',
  'export',
  'tokens',
  'deployments',
  'people',
] as const;
export type BundleTab = (typeof BUNDLE_TABS)[number];
