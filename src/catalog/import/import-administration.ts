import type { Caller } from '../../auth/caller';
import { ForbiddenError } from '../../errors/errors';

/** @throws ForbiddenError */
export function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin) throw new ForbiddenError('Only platform administrators can see imports (PLATFORM_ADMINS).');
}
