import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { allows } from '../auth/scopes';
import { InsufficientScopeError } from '../errors/errors';
import { WaitingSources } from './waiting-sources';
import type { WaitingOut } from './waiting.dto';

/** Besides what the route requires, since the answer is also about bundles. */
const SCOPE = 'bundles:read';

/** What waits for a person, for a start page. */
@Injectable()
export class WaitingService {
  constructor(private readonly sources: WaitingSources) {}

  /** @throws InsufficientScopeError for a token that may not read bundles */
  async get(caller: Caller): Promise<WaitingOut> {
    if (!allows(caller.scopes, SCOPE)) throw new InsufficientScopeError([SCOPE]);
    const [invitations, accounts, tools, requests] = await Promise.all([
      this.sources.get('invitations')(caller),
      this.sources.get('accounts')(caller),
      this.sources.get('tools')(caller),
      this.sources.get('requests')(caller),
    ]);
    const total = invitations.count + accounts.count + tools.count + requests.count;
    return { total, invitations, accounts, tools, requests };
  }
}
