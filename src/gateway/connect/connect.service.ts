import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../credentials/credential.errors';
import { ConnectFailure } from './connect-failure';
import { ConnectLinks, type ConnectLinkRequest } from './connect-links';
import { ConnectNeeds } from './connect-needs';
import { ConnectTargets } from './connect-targets';
import type { ConnectCreate, ConnectOut } from './connect.dto';

/** Gives people the address of the page on which they connect an account. */
@Injectable()
export class ConnectService {
  constructor(
    private readonly targets: ConnectTargets,
    private readonly needs: ConnectNeeds,
    private readonly links: ConnectLinks,
  ) {}

  /**
   * Asks the server whether it wants anything. One that does not answer now may when the person opens the page, which says what
   * is wrong.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError for an entry that needs nothing
   */
  async connect(caller: Caller, { bundle_id, entry_id, owner }: ConnectCreate): Promise<ConnectOut> {
    const wish: ConnectLinkRequest = {
      personId: caller.userId,
      bundleId: bundle_id,
      entryId: entry_id,
      version: null,
      owner: owner ?? 'PERSON',
    };
    const target = await this.targets.find(caller, wish);
    if (!(await this.needsSomething(target, wish)))
      throw new ConflictError(
        ErrorCode.CredentialConflict,
        `${target.host} asks for nothing: it answers without credentials, and its server.json names no secrets.`,
      );
    return { url: this.links.seal(wish) };
  }

  private async needsSomething(target: Parameters<ConnectNeeds['of']>[0], wish: ConnectLinkRequest): Promise<boolean> {
    try {
      return (await this.needs.of(target, wish)).kind !== 'nothing';
    } catch (error) {
      if (error instanceof ConnectFailure) return true;
      throw error;
    }
  }
}
