import { shown } from '../../../ui/other-text';
import type { RoleSource } from './explanation-graph';
import { membersWords } from './words';

const words = membersWords.explanation;

/** @returns what gives the role, in a few words */
export function sourceName({ kind, name }: RoleSource): string {
  switch (kind) {
    case 'group':
      return words.group(shown(name));
    case 'manual':
      return words.manual;
    case 'default':
      return words.defaultRole;
    case 'last_owner':
      return words.lastOwner;
  }
}
