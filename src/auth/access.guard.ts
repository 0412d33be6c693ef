import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ForbiddenError } from '../errors/errors';
import { ACCESS_RULE, AccessRule, takesAccessToken } from './access.decorator';
import { asksIntrospection, BearerStrategy, bearerToken } from './bearer.strategy';
import type { VerifiedToken } from './token-memory';
import { TokenVerifier } from './token-verifier';

declare module 'express-serve-static-core' {
  interface Request {
    /** The rule that a guard or gate before this one found fulfilled, by credentials that are no access token. */
    admittedBy?: AccessRule;
  }
}

/** Authenticates the caller of every route that is not declared open. A route that declares nothing is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly rules = new Map<unknown, AccessRule | undefined>();
  private readonly strategy: BearerStrategy;

  constructor(
    private readonly reflector: Reflector,
    private readonly verifier: TokenVerifier,
  ) {
    this.strategy = new BearerStrategy(verifier);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule === 'open') return true;
    if (rule === undefined) throw new ForbiddenError('This route does not say who may call it, so nobody may.');
    const request = context.switchToHttp().getRequest<Request>();
    if (request.admittedBy === rule) return true;
    if (!takesAccessToken(rule)) throw new ForbiddenError(`Nobody has let this request in by the rule ${rule}.`);
    const remembered = this.verifier.recall(bearerToken(request));
    if (remembered && !asksIntrospection(request)) return admit(request, remembered);
    return this.verify(request).then((verified) => admit(request, verified));
  }

  /**
   * For answers that no route gives, such as that of a method which a path does not support. A gate before the routes may
   * have let the request in already.
   *
   * @throws AuthenticationError
   */
  async authenticate(request: Request): Promise<void> {
    if (request.admittedBy === undefined) admit(request, await this.verify(request));
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

  /** Runs the strategy as passport does; without its global registry, as several applications may live in one process. */
  private verify(request: Request): Promise<VerifiedToken> {
    return new Promise((resolve, reject) => {
      const attempt = Object.create(this.strategy) as BearerStrategy;
      attempt.success = resolve;
      attempt.fail = attempt.error = reject;
      attempt.authenticate(request, {});
    });
  }
}

function admit(request: Request, verified: VerifiedToken): true {
  request.caller = verified.caller;
  return true;
}
