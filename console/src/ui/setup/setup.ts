import type { ConnectClient, Install } from '../../api/schema';

/** What `install` and `connect` answer, as far as it says how something gets into a client. */
export interface Setup extends Pick<
  Install,
  'is_possible' | 'problem' | 'endpoint_url' | 'link' | 'command' | 'file' | 'inputs' | 'notes'
> {
  client: ConnectClient;
  /** The command line that the client will run; an endpoint runs none. */
  runs?: string | null;
}
