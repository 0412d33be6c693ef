import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { BundleRow } from '../bundle.dto';

/** The version on which a change is based, as a field of a request. */
export const BASE_VERSION = {
  required: false,
  nullable: true,
  min: 1,
  description:
    'The version of the bundle that this change is based on. If the bundle is at another version by now, nothing is changed. Default: any version.',
} as const;

/**
 * @param bundle locked
 * @throws ConflictError if another person has changed the bundle since
 */
export function requireBaseVersion({ version }: Pick<BundleRow, 'version'>, base: number | null | undefined): void {
  if (base == null || base === version) return;
  throw new ConflictError(
    ErrorCode.BundleConflict,
    `The bundle is now at version ${version}, not at ${base}. Read it again.`,
  );
}
