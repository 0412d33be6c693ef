import { shown } from '../../ui/other-text';
import type { EditedEntry } from './entries';
import { editorWords as words } from './words';

/** @returns the name of an entry, as a person may see it */
export const nameOf = ({
  listing_name,
  listing_title,
}: Pick<EditedEntry, 'listing_name' | 'listing_title'>): string => {
  const name = listing_title ?? listing_name;
  return name === null ? words.unseen : shown(name);
};

/** @returns how a field of an entry is called, by its path of `leavesOf` */
export function fieldName(path: string): string {
  const [field = '', name = '', key] = JSON.parse(path) as string[];
  if (field !== 'config') return words.fields[field] ?? field;
  return [words.fields[name] ?? shown(name), ...(key === undefined ? [] : [shown(key)])].join(' ');
}

/** @returns a value of an entry as text */
export function valueText(path: string, value: unknown): string {
  const [field] = JSON.parse(path) as string[];
  if (value === undefined || value === null) return field === 'version' ? words.newestShort : words.changes.nothing;
  const known: Record<string, string> = { ...words.settings.modes, ...words.settings.pinnings };
  if (typeof value === 'string')
    return shown(field === 'credential_mode' || field === 'pinning' ? (known[value] ?? value) : value);
  if (field === 'is_enabled') return value === true ? words.settings.yes : words.settings.no;
  return shown(JSON.stringify(value));
}
