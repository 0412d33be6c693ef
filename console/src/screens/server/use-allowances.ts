import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';

/** Reads whether each organisation of the person allows a server; nothing is allowed or not to a person without one. */
export function useAllowances(listingId: string) {
  const { organisations } = useSignedIn();
  const isMember = organisations.some(({ role, suspended }) => role !== null && !suspended);
  const list = useList(
    'GET /v1/mcp/listings/{listing_id}/allowances',
    { path: { listing_id: listingId } },
    { enabled: isMember },
  );
  return { isMember, list };
}
