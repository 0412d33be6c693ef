import { Injectable, SetMetadata, applyDecorators } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { DomainError } from '../errors/errors';
import { Fails } from '../http/answers/api-errors';
import type { Caller } from './caller';
import type { DeletionScope } from './scopes';
import { isRecentlyProved } from './sessions/session';
import { ErrorCode } from './sessions/session.errors';

export const RECENT_SIGN_IN = 'toolyard:recent-sign-in';

/** What a route asks of the caller besides the scope of `@Access`. */
export interface RecentSignInRule {
  /** The scope with which a program may call the route although nobody signed in just now. */
  readonly unless?: DeletionScope;
}

/**
 * Declares that only the person may call a route, in a browser in which they signed in at most five minutes ago, or by
 * what counts as much (contract, section 13.1). The access guard enforces it.
 *
 * @param unless the scope of an access token that is enough instead, even without the scope that the route states
 */
export function NeedsRecentSignIn(unless?: DeletionScope): MethodDecorator {
  const rule: RecentSignInRule = { unless };
  return applyDecorators(SetMetadata(RECENT_SIGN_IN, rule), Fails(ErrorCode.RecentSignInRequired));
}

/** What a program must not do with a token that it was given for something else, because it lasts longer than the token. */
@Injectable()
export class RecentSignIn {
  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * @param rule what else is enough
   * @throws DomainError `recent_sign_in_required` unless the person of the credential signed in at most five minutes ago,
   *   in a browser or at the foreign issuer, or an operator made the token, or it has the scope of the rule
   */
  require({ provedAt = null, isFromOperator, scopes }: Caller, { unless }: RecentSignInRule = {}): void {
    if (isFromOperator || isRecentlyProved({ provedAt }, this.clock.now())) return;
    if (unless !== undefined && scopes?.has(unless)) return;
    const orScope = unless === undefined ? '' : `, or a program with the scope ${unless}`;
    throw new DomainError(ErrorCode.RecentSignInRequired, `Only the person can do this${orScope}: ${this.where()}`);
  }

  /** People sign in here unless their issuer is elsewhere and knows no client of ours. */
  private where(): string {
    const { externalIssuer, publicUrl } = this.environment;
    if (externalIssuer && externalIssuer.clientId === undefined)
      return `with an access token whose "auth_time" is at most five minutes old, from ${externalIssuer.issuer}`;
    return `in a browser, at most five minutes after signing in: ${publicUrl}/account`;
  }
}
