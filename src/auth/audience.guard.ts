import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode } from '../errors/errors';

/**
 * Accepts access tokens that are for one part of this service only there: their audience is the address of that
 * part (RFC 8707). After the access guard, which sets the caller.
 */
@Injectable()
export class AudienceGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { caller, path } = context.switchToHttp().getRequest<Request>();
    const below = caller?.below;
    if (below === undefined || path === below || path.startsWith(`${below}/`)) return true;
    throw new AuthenticationError(ErrorCode.InvalidToken, 'The access token is for another audience.');
  }
}
