import type { ListedEntry, VersionChanges, VersionComparison } from '../../api/schema';

/** How entries can differ, in the order in which it is shown. */
export const CHANGE_GROUPS = ['added', 'removed', 'updated', 'enabled', 'disabled', 'reconfigured', 'moved'] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

/** @returns what a version changed, with how often */
export function changesOf(changes: VersionChanges): (readonly [ChangeGroup, number])[] {
  return CHANGE_GROUPS.map((group) => [group, changes[group]] as const).filter(([, count]) => count > 0);
}

/** A value of an entry that differs. */
export type EntryField = 'listing' | 'version' | 'position' | 'credential_mode' | 'pinning' | 'endpoint_url';
export type EntryDifference = { before: string | null; after: string | null } & (
  { field: EntryField } | { field: 'config'; name: string }
);

/** An entry that differs between two versions of a bundle. */
export interface ChangedEntry {
  id: string;
  listingId: string | null;
  name: string | null;
  key: string | null;
  differences: EntryDifference[];
}

/** @returns the entries that differ, by how they do; groups without any are left out */
export function groupsOf(comparison: VersionComparison): (readonly [ChangeGroup, ChangedEntry[]])[] {
  return CHANGE_GROUPS.map((group) => {
    const entries = comparison[group].map((one) =>
      'after' in one ? changed(one.after, differencesOf(group, one.before, one.after)) : changed(one, []),
    );
    return [group, entries] as const;
  }).filter(([, entries]) => entries.length > 0);
}

function changed(entry: ListedEntry, differences: EntryDifference[]): ChangedEntry {
  const { id, listing_id: listingId, listing_title: title, listing_name: name, key } = entry;
  return { id, listingId, name: title ?? name, key, differences };
}

function differencesOf(group: ChangeGroup, before: ListedEntry, after: ListedEntry): EntryDifference[] {
  if (group === 'moved') return [{ field: 'position', before: String(before.position), after: String(after.position) }];
  if (group === 'updated') {
    const isOther = before.listing_name !== after.listing_name;
    return [
      ...(isOther ? [{ field: 'listing' as const, before: before.listing_name, after: after.listing_name }] : []),
      { field: 'version', before: versionOf(before), after: versionOf(after) },
    ];
  }
  if (group !== 'reconfigured') return [];
  const fields = (['credential_mode', 'pinning', 'endpoint_url'] as const).filter((one) => before[one] !== after[one]);
  return [
    ...configDifferences(before.config, after.config),
    ...fields.map((field) => ({ field, before: before[field], after: after[field] })),
  ];
}

/** One that follows the newest has a star. */
const versionOf = ({ version, listing_version: effective }: ListedEntry): string | null =>
  version ?? (effective === null ? null : `${effective}*`);

function configDifferences(before: Record<string, unknown>, after: Record<string, unknown>): EntryDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name): EntryDifference[] => {
    const [former, present] = [textOf(before[name]), textOf(after[name])];
    return former === present ? [] : [{ field: 'config', name, before: former, after: present }];
  });
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @returns how many tools have other rules */
export function toolCountOf({ tools }: Pick<VersionComparison, 'tools'>): number {
  const count = tools?.['tool_count'];
  return typeof count === 'number' ? count : 0;
}

/** @returns the number of a version that an address or a form has; undefined if there is none such */
export function versionNumber(text: string | undefined, latest: number): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= 1 && number <= latest ? number : undefined;
}
