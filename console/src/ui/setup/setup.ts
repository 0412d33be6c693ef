import type { EndpointClient, ListingInstall } from '../../api/schema';

/** What `install` and `connect` answer, as far as it says how something gets into a client. */
export interface Setup extends Pick<
  ListingInstall,
  'is_possible' | 'endpoint_url' | 'link' | 'command' | 'file' | 'inputs' | 'notes'
> {
  client: EndpointClient;
  /** Why it is not possible, in words. */
  problem: { detail: string } | null;
  /** The command line that the client will run; an endpoint runs none. */
  runs?: string | null;
}
