import type { ListingBundle } from '../../../api/schema';

/** A bundle in which a server would be allowed. */
export interface TargetBundle {
  id: string;
  name: string;
  version: number;
  follower_count: number;
}

/** What it changes to allow a server in a bundle. */
export type AllowEffect =
  | { kind: 'adds'; isAllowedAlready: boolean }
  /** The bundle has it, but disabled. */
  | { kind: 'enables'; entryId: string }
  /** The bundle has it already. */
  | { kind: 'nothing' };

/**
 * @param bundleId undefined: a new one
 * @param having the bundles that have the server
 */
export function effectOfAllowing(
  orgId: string,
  bundleId: string | undefined,
  having: readonly ListingBundle[],
): AllowEffect {
  const entry = having.find(({ id }) => id === bundleId);
  if (entry?.is_enabled === true) return { kind: 'nothing' };
  if (entry) return { kind: 'enables', entryId: entry.entry_id };
  return { kind: 'adds', isAllowedAlready: having.some((one) => one.org_id === orgId && one.is_enabled) };
}

/** The bundles of an organisation that have a server enabled, by whether the person may change them. */
export function enabledIn(orgId: string, having: readonly ListingBundle[]) {
  const enabled = having.filter((one) => one.org_id === orgId && one.is_enabled);
  return {
    changeable: enabled.filter(({ may_modify: may }) => may),
    others: enabled.filter(({ may_modify: may }) => !may),
  };
}
