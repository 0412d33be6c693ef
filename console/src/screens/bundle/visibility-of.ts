import type { Bundle } from '../../api/schema';
import { bundleWords } from './words';

/** @returns who sees a bundle, in a word or two */
export function visibilityOf({ visibility, org_id }: Pick<Bundle, 'visibility' | 'org_id'>): string {
  return visibility === 'PRIVATE' && org_id !== null
    ? bundleWords.membersOfOwner
    : bundleWords.anyVisibility[visibility];
}
