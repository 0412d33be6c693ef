import type { Cap } from '../database/cap';
import { ErrorCode } from './bundle.errors';

/** $1 the owner. The bundles of a person, and of an organisation, as far as they count. */
export const COUNTED_OF_PERSON = 'bundles WHERE owner_id = $1 AND org_id IS NULL';
export const COUNTED_OF_ORGANISATION = 'bundles WHERE org_id = $1';

export const PERSONAL_BUNDLES: Cap = {
  name: 'personal bundles',
  rows: COUNTED_OF_PERSON,
  code: ErrorCode.BundleConflict,
  detail: (most) => `You have ${most} personal bundles, which is the limit. Delete one first.`,
};

export const ORGANISATION_BUNDLES: Cap = {
  name: 'bundles of an organisation',
  rows: COUNTED_OF_ORGANISATION,
  code: ErrorCode.BundleConflict,
  detail: (most) => `The organisation has ${most} bundles, which is the limit. Delete one first.`,
};
