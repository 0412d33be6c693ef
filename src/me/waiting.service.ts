import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { allows } from '../auth/scopes';
import { WaitingSources } from './waiting-sources';
import type { WaitingOut } from './waiting.dto';

/** What a token needs for the parts that are about bundles. */
const BUNDLES_SCOPE = 'bundles:read';

const NOTHING = { count: 0, items: [] };

/** What waits for a person, for a start page. */
@Injectable()
export class WaitingService {
  constructor(private readonly sources: WaitingSources) {}

  async get(caller: Caller): Promise<WaitingOut> {
    const readsBundles = allows(caller.scopes, BUNDLES_SCOPE);
    const [invitations, accounts, tools, requests] = await Promise.all([
      this.sources.get('invitations')(caller),
      readsBundles ? this.sources.get('accounts')(caller) : NOTHING,
      readsBundles ? this.sources.get('tools')(caller) : NOTHING,
      this.sources.get('requests')(caller),
    ]);
    const total = invitations.count + accounts.count + tools.count + requests.count;
    return { total, invitations, accounts, tools, requests };
  }
}
