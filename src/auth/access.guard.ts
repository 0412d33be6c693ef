import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Authenticator } from 'passport';
import { ForbiddenError } from '../http/errors';
import { ACCESS_RULE, AccessRule } from './access.decorator';
import { BearerStrategy, bearerToken } from './bearer.strategy';
import { TokenVerifier, VerifiedToken } from './token-verifier';

const LOOKS_FALSE = /^(false|0|no|off)$/i;

/** Authenticates the caller of every route that is not declared open. A route that declares nothing is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly rules = new Map<unknown, AccessRule | undefined>();
  // Of its own, not passport's global one: several applications may live in one process.
  private readonly passport = new Authenticator();

  constructor(
    private readonly reflector: Reflector,
    private readonly verifier: TokenVerifier,
  ) {
    this.passport.use('jwt', new BearerStrategy(verifier));
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule === 'open') return true;
    if (rule === undefined) throw new ForbiddenError('This route does not say who may call it, so nobody may.');
    return this.authenticate(context.switchToHttp().getRequest(), context.switchToHttp().getResponse());
  }

  private ruleOf(context: ExecutionContext): AccessRule | undefined {
    const handler = context.getHandler();
    if (!this.rules.has(handler)) {
      this.rules.set(
        handler,
        this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [handler, context.getClass()]),
      );
    }
    return this.rules.get(handler);
  }

  private async authenticate(request: Request, response: Response): Promise<boolean> {
    const verified = await new Promise<VerifiedToken>((resolve, reject) => {
      const settle = (error: unknown, token: VerifiedToken | false, failure: unknown) =>
        token ? resolve(token) : reject(error ?? failure);
      (this.passport.authenticate('jwt', { session: false }, settle) as Middleware)(request, response, reject);
    });
    // What is neither true nor false is for the validation to name; it cannot switch the check off.
    const asked = request.url.includes('verify_locally') ? request.query.verify_locally : undefined;
    if (typeof asked === 'string' && LOOKS_FALSE.test(asked)) {
      await this.verifier.introspect(bearerToken(request), verified);
    }
    request.caller = verified.caller;
    return true;
  }
}

type Middleware = (request: Request, response: Response, next: (error?: unknown) => void) => void;
