import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { ACCESS_RULE, type AccessRule } from '../../auth/access.decorator';
import type { StoredSecretToken } from '../../auth/secret-tokens/secret-token-kind';
import { Clock } from '../../config/clock';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { BUNDLE_TOKEN } from './bundle-token';
import { isUsableToken } from './usable-token.sql';

const RULE: AccessRule = 'bundle-reader-or-token';
const CREDENTIALS = new RegExp(`^bearer +(${BUNDLE_TOKEN.mark}\\S*) *$`, 'i');

/** $1 digest, $2 now. All that decides whether the token opens its bundle at this moment, in one statement. */
const FIND = `
  SELECT tokens.id, tokens.bundle_id, tokens.digest, tokens.created_by, tokens.last_used_at
  FROM bundle_access_tokens AS tokens JOIN bundles ON bundles.id = tokens.bundle_id
  WHERE tokens.digest = $1 AND ${isUsableToken('$2')}`;

interface FoundToken extends StoredSecretToken {
  bundle_id: string;
  created_by: string;
}

/**
 * Lets a request in that comes with an access token of a bundle, for that bundle and where the route says so. Nothing of
 * it is remembered: a token that was revoked, or whose maker has lost access, is refused at the next request by every
 * process. Before the access guard, to which such a token would be a malformed one.
 */
@Injectable()
export class BundleTokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const [, token] = CREDENTIALS.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return true;
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule === 'open') return true;
    if (rule !== RULE) {
      throw refusal(
        'This is an access token of a bundle: it can read the bundle, its entries and its export, and nothing else.',
      );
    }
    return this.admit(request, token);
  }

  private async admit(request: Request, token: string): Promise<true> {
    const now = this.clock.now();
    const found = await BUNDLE_TOKEN.find<FoundToken>(this.dataSource, FIND, token, [now]);
    if (!found) {
      throw refusal('The access token was revoked or has expired, or its creator has lost access to the bundle.');
    }
    if (String(request.params.bundle_id).toLowerCase() !== found.bundle_id) {
      throw refusal('The access token belongs to another bundle.');
    }
    await BUNDLE_TOKEN.noteUse(this.dataSource, found, now);
    const { created_by: userId, bundle_id: bundleId } = found;
    request.caller = { userId, email: null, name: null, isPlatformAdmin: false, confinedTo: bundleId };
    request.admittedBy = RULE;
    return true;
  }
}

function refusal(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
