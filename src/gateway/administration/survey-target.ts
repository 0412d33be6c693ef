import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../../bundles/bundle.dto';
import type { CompileTarget } from '../compile/compiled-bundle';
import type { EndpointRow } from '../settings/endpoint-settings';

/** @returns a bundle as it is now, in the view of someone who reads about it */
export function surveyTarget(
  { userId: personId }: Pick<Caller, 'userId'>,
  { id: bundleId, name, slug, version }: Pick<BundleRow, 'id' | 'name' | 'slug' | 'version'>,
  { naming, name_budget: nameBudget, presentation }: EndpointRow,
): CompileTarget {
  return {
    bundleId,
    name,
    slug,
    version,
    boundVersion: null,
    personId,
    usesPersonal: true,
    tokenId: null,
    naming,
    nameBudget,
    presentation,
  };
}
