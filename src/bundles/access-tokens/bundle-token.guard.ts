import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { ACCESS_RULE, type AccessRule } from '../../auth/access.decorator';
import type { StoredSecretToken } from '../../auth/secret-tokens/secret-token-kind';
import { Clock } from '../../config/clock';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { BUNDLE_TOKEN_KIND } from './bundle-token-kind';
import type { BundleTokenScope } from './token-scope';
import { isUsableToken } from './usable-token.sql';

const RULE: AccessRule = 'bundle-reader-or-token';
const CREDENTIALS = new RegExp(`^bearer +(${BUNDLE_TOKEN_KIND.mark}\\S*) *$`, 'i');

/** $1 digest, $2 now. One statement decides whether the token opens its bundle at this moment. */
const FIND = `
  SELECT tokens.id, tokens.bundle_id, tokens.digest, tokens.scopes, tokens.created_by, tokens.last_used_at
  FROM bundle_access_tokens AS tokens JOIN bundles ON bundles.id = tokens.bundle_id
  WHERE tokens.digest = $1 AND ${isUsableToken('$2')}`;

interface BundleToken extends StoredSecretToken {
  bundle_id: string;
  scopes: BundleTokenScope[];
  created_by: string;
}

/**
 * Accepts requests with an access token of a bundle, for that bundle and on the routes that allow it. Nothing is
 * cached: a token that was revoked, or whose creator has lost access, is rejected from the next request on by every
 * process. Runs before the access guard, which would reject such a token as malformed.
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
      throw rejection(
        'This is an access token of a bundle: by this API it can read the bundle, its entries and its export, and nothing else.',
      );
    }
    return this.admit(request, token);
  }

  private async admit(request: Request, token: string): Promise<true> {
    const now = this.clock.now();
    const storedToken = await BUNDLE_TOKEN_KIND.find<BundleToken>(this.dataSource, FIND, token, [now]);
    if (!storedToken) {
      throw rejection('The access token was revoked or has expired, or its creator has lost access to the bundle.');
    }
    if (String(request.params.bundle_id).toLowerCase() !== storedToken.bundle_id) {
      throw rejection('The access token belongs to another bundle.');
    }
    if (!storedToken.scopes.includes('read')) {
      throw rejection('The access token lacks the scope read: it can only call the tools of the MCP endpoint.');
    }
    await BUNDLE_TOKEN_KIND.noteUse(this.dataSource, storedToken, now);
    const { created_by: userId, bundle_id: bundleId } = storedToken;
    request.caller = { userId, email: null, name: null, isPlatformAdmin: false, confinedTo: bundleId };
    request.admittedBy = RULE;
    return true;
  }
}

function rejection(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
