import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { bearerToken } from '../../auth/bearer.strategy';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { RefusedRequests } from '../log/refused-requests';
import { ScimTokenVerifier } from '../tokens/scim-token-verifier';
import { withKnownNames } from './lists/scim-query';
import { type ScimPath, scimPath } from './scim-address';

/**
 * Guards everything below `/v1/organisations/{org_id}/scim/v2` and admits requests with a valid SCIM token of that
 * organisation. It precedes the routes, so that an unauthenticated client cannot find out which ones exist, and an
 * authenticated request to an unknown one is in the provisioning log.
 */
@Injectable()
export class ScimGate {
  constructor(
    private readonly verifier: ScimTokenVerifier,
    private readonly refused: RefusedRequests,
  ) {}

  /**
   * A middleware.
   *
   * @throws AuthenticationError
   */
  readonly admit = (request: Request, _response: Response, next: NextFunction): void => {
    const path = scimPath(request.path);
    if (path === undefined) return next();
    this.verify(request, path).then(() => next(), next);
  };

  private async verify(request: Request, path: ScimPath): Promise<void> {
    const startedAt = performance.now();
    const { orgId, tokenId, state } = await this.verifier.verify(bearerToken(request, 'SCIM'), path.orgId);
    const client = { orgId, tokenId, requestId: request.id, ignored: new Set<string>(), notes: new Set<string>() };
    const query = request.url.indexOf('?');
    const target = path.below + (query === -1 ? '' : request.url.slice(query));
    // Also with a revoked or expired token: an administrator who looks for the reason why nothing arrives finds it in
    // the provisioning log.
    const isLogged = state !== 'valid' && !this.refused.keeps(orgId);
    request.scim = { client, target, startedAt, isLogged };
    if (state !== 'valid') {
      const what = state === 'expired' ? 'has expired' : 'was revoked';
      throw new AuthenticationError(ErrorCode.InvalidToken, `This SCIM token ${what}.`);
    }
    request.admittedBy = 'scim-token';
    if (query === -1) return;
    // Before validation, which compares names with those of the document. Express 5 has a getter here that would parse
    // again.
    Object.defineProperty(request, 'query', { value: withKnownNames(request.query), configurable: true });
  }
}
