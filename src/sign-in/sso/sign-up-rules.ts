import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import type { SignUpRule, SsoProvider } from '../../config/sso-providers';
import { one } from '../../database/statements';
import { PendingInvitations } from '../../invitations/pending-invitations';
import { Directory } from '../../organisations/directory';
import type { Admission } from '../../users/admission';
import { addressKey } from '../../users/address';
import { HAS_INVITATION } from '../people/account-invitations.sql';
import type { ProviderPerson } from './provider-claims';
import { SsoFailure } from './sso-failure';

/** Who may sign in by a provider, and who gets an account at the first time (`SSO_DOMAINS`, `SSO_SIGN_UP`). */
@Injectable()
export class SignUpRules {
  constructor(
    private readonly directory: Directory,
    private readonly invitations: PendingInvitations,
    private readonly clock: Clock,
  ) {}

  /** @throws SsoFailure unless the person has a verified address in one of the provider's domains, if it lists any */
  requireDomain({ domains }: SsoProvider, { address: { verified } }: ProviderPerson): void {
    if (domains.length === 0) return;
    const key = verified === undefined ? '' : addressKey(verified);
    if (!domains.includes(key.slice(key.lastIndexOf('@') + 1))) throw new SsoFailure('domain');
  }

  /**
   * The rule for an identity without an account (ADR 29). A verified address claims the account that provisioning made for
   * it. One that someone uses is never opened: who has the address now is not always who made the account.
   */
  admission(provider: SsoProvider, { address: { verified } }: ProviderPerson): Admission {
    return async (state, manager) => {
      if (state?.isTaken) throw new SsoFailure('taken');
      if (state?.isWaiting) return;
      const rule = provider.signUp ?? (await this.defaultRule(manager));
      if (rule === 'provisioned') throw new SsoFailure('not-provisioned');
      if (rule === 'invited' && !(verified !== undefined && (await this.isInvited(manager, verified))))
        throw new SsoFailure('not-invited');
    };
  }

  /** By an organisation, or by an administrator of this instance. */
  private async isInvited(manager: EntityManager, email: string): Promise<boolean> {
    if (await this.invitations.includes(manager, email)) return true;
    const values = [addressKey(email), this.clock.now()];
    return (await one<{ has_invitation: boolean }>(manager, HAS_INVITATION, values)).has_invitation;
  }

  /** An organisation that is provisioned says itself who belongs to it. */
  private async defaultRule(manager: EntityManager): Promise<SignUpRule> {
    return (await this.directory.isInUse(manager)) ? 'provisioned' : 'anybody';
  }
}
