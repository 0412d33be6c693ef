import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller';
import type { ListingDetailOut, ListingVersionDetailOut } from '../../catalog/listings/listing.dto';
import { ListingsService } from '../../catalog/listings/listings.service';
import { readConfig } from '../entries/entry-config';
import { entryKey } from '../entries/entry-key';
import { planForClient, reservedKeys } from '../export/client-formats';
import { type Launch, planLaunch } from '../launch/launch';
import type { Skip } from '../launch/skip';
import { clientInstall } from './client-install';
import { CONNECTOR_NOTES } from './connector-notes';
import { type ListingInstallOut, ListingInstallQuery, toInstallInputs } from './install.dto';

const NO_CONFIG = readConfig({});

/** Writes how the server of one listing gets into a client, by the generator of the export of bundles. */
@Injectable()
export class ListingInstallService {
  constructor(private readonly listings: ListingsService) {}

  /**
   * Three statements. A listing that is archived and a version that was
   * deleted are not installed any more; a draft is, by those who see it.
   *
   * @throws NotFoundError for a listing that the caller may not see, or a version that it does not have
   */
  async get(caller: Caller, listingId: string, { client, version }: ListingInstallQuery): Promise<ListingInstallOut> {
    const listing = await this.listings.get(caller, listingId);
    const chosen = await this.listings.version(caller, listing.id, version ?? listing.version);
    const key = entryKey(listing.name, new Set(reservedKeys(client)));
    const plan = unavailable(listing, chosen) ?? planForClient(client, chosen.server, NO_CONFIG);
    const common = { client, listing_id: listing.id, version: chosen.version, key };
    if ('reason' in plan) {
      const endpointUrl = plan.reason === 'not_local' ? remoteUrlOf(chosen.server) : null;
      return {
        ...common,
        is_possible: false,
        problem: { reason: plan.reason, detail: plan.detail },
        runs: null,
        endpoint_url: endpointUrl,
        link: null,
        command: null,
        file: null,
        inputs: [],
        notes: endpointUrl === null ? [] : [...CONNECTOR_NOTES],
      };
    }
    const { link, command, file, runs, inputs, notes } = clientInstall(client, key, plan);
    return {
      ...common,
      is_possible: true,
      problem: null,
      runs,
      endpoint_url: urlOf(plan),
      link,
      command,
      file,
      inputs: toInstallInputs(inputs),
      notes: chosen.status === 'deprecated' ? [`Version ${chosen.version} is deprecated.`, ...notes] : notes,
    };
  }
}

function unavailable(
  { status }: Pick<ListingDetailOut, 'status'>,
  chosen: Pick<ListingVersionDetailOut, 'status' | 'version'>,
): Skip | undefined {
  if (status === 'ARCHIVED') return { reason: 'unavailable', detail: 'The listing was archived.' };
  if (chosen.status !== 'deleted') return undefined;
  return { reason: 'unavailable', detail: `Version ${chosen.version} of the listing was deleted.` };
}

function remoteUrlOf(server: object): string | null {
  const launch = planLaunch(server, { ...NO_CONFIG, runWith: 'remote' }, { remotes: true, asks: true });
  return 'reason' in launch ? null : urlOf(launch);
}

function urlOf({ server }: Launch): string | null {
  if (server.kind === 'local') return null;
  return server.url.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');
}
