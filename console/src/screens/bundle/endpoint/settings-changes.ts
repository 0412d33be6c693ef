import type { Endpoint, EndpointUpdate } from '../../../api/schema';

export const SETTINGS = [
  'naming',
  'name_budget',
  'presentation',
  'default_access',
  'record',
  'record_arguments',
] as const;
export type SettingName = (typeof SETTINGS)[number];

export type Settings = Pick<Endpoint, SettingName>;

/** What a person has changed of the settings; `name_budget` as it was typed. */
export type SettingsDraft = Partial<Omit<Settings, 'name_budget'>> & { name_budget?: string };

/** The bounds of `name_budget`, as the API has them. */
export const MIN_BUDGET = 24;
export const MAX_BUDGET = 64;

/** @returns the number that was typed; undefined if it is none that the API takes */
export function budgetOf(typed: string): number | undefined {
  const value = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return value >= MIN_BUDGET && value <= MAX_BUDGET ? value : undefined;
}

/** @returns the draft without what is as it was, also because it was changed back or another person saved the same */
export function onlyChanged(saved: Settings, draft: SettingsDraft): SettingsDraft {
  const differs = (name: SettingName): boolean =>
    draft[name] !== undefined && String(saved[name]) !== String(draft[name]);
  return Object.fromEntries(SETTINGS.filter(differs).map((name) => [name, draft[name]]));
}

/** @returns what is sent: only what was changed, so that what another person changes meanwhile stays; undefined if it cannot be sent */
export function updateOf({ name_budget, ...others }: SettingsDraft): EndpointUpdate | undefined {
  if (name_budget === undefined) return others;
  const budget = budgetOf(name_budget);
  return budget === undefined ? undefined : { ...others, name_budget: budget };
}
