import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type CallName } from '../../../api/client';
import type { ApiProblem } from '../../../api/problem';
import type { AllowEffect } from './effects';

/** What is out of date when an entry of a bundle has changed. */
export const CHANGED: readonly CallName[] = [
  'GET /v1/organisations/{org_id}/allowed-listings',
  'GET /v1/organisations/{org_id}/managed-settings',
  'GET /v1/organisations/{org_id}/managed-settings/report',
  'GET /v1/mcp/listings/{listing_id}/bundles',
  'GET /v1/mcp/listings/{listing_id}/allowances',
  'GET /v1/bundles',
  'GET /v1/bundles/{bundle_id}',
  'GET /v1/bundles/{bundle_id}/entries',
];

interface Allowing {
  listingId: string;
  /** The one that gets it, or the name of a new one. */
  bundle: { id: string } | { name: string };
  effect: AllowEffect;
}

/** Adds a server to a bundle of the organisation, or enables it there. */
export function useAllow(orgId: string) {
  const client = useQueryClient();
  return useMutation<void, ApiProblem, Allowing>({
    mutationFn: async ({ listingId, bundle, effect }) => {
      const id = 'id' in bundle ? bundle.id : await created(orgId, bundle.name);
      if (effect.kind === 'enables') {
        await call('PATCH /v1/bundles/{bundle_id}/entries/{entry_id}', {
          path: { bundle_id: id, entry_id: effect.entryId },
          body: { is_enabled: true },
        });
      } else {
        const body = { listing_id: listingId };
        await call('POST /v1/bundles/{bundle_id}/entries', { path: { bundle_id: id }, body });
      }
    },
    // Also after an error: the bundle may have been made.
    onSettled: () => {
      for (const changed of CHANGED) void client.invalidateQueries({ queryKey: [changed] });
    },
  });
}

async function created(orgId: string, name: string): Promise<string> {
  return (await call('POST /v1/bundles', { body: { name, org_id: orgId } })).id;
}
