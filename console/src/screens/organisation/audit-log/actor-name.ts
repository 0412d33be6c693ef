import type { AuditActor } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import { words } from './words';

/** @returns the name of who or what made a change, or what is known of them */
export function actorName({ type, name, email }: AuditActor): string {
  if (type === 'system') return words.actors.system;
  if (name !== null) return shown(name);
  if (email !== null) return shown(email);
  return type === 'scim_token' ? words.actors.deletedToken : words.actors.former;
}
