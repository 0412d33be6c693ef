import { number } from '../../../messages/text';
import type { SettingName } from './settings-changes';
import { endpointWords } from './words';

const words = endpointWords.settings;

/** @returns a value of a setting in words */
export function settingWords(name: SettingName, value: string | number): string {
  if (name === 'name_budget') return typeof value === 'number' ? number(value) : value;
  const texts: Record<string, readonly string[]> = words[name];
  return texts[value]?.[0] ?? String(value);
}
