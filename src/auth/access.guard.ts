import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { ForbiddenError } from '../errors/errors';
import { ACCESS_RULE, AccessRule, takesAccessToken } from './access.decorator';
import { asksIntrospection, BEARER, type BearerOptions, bearerToken } from './bearer.strategy';
import { ConsoleCallers } from './sessions/console-callers';
import { TokenVerifier } from './token-verifier';

declare module 'express-serve-static-core' {
  interface Request {
    /** The rule that a guard or gate before this one found satisfied, by a credential other than an access token. */
    admittedBy?: AccessRule;
  }
}

/**
 * Authenticates the caller of every route that is not declared open. A route that declares nothing is closed. A token
 * that was verified before, as in most requests, needs neither a promise nor passport. A session of the console counts
 * wherever an access token does; a request with both is judged by its token.
 */
@Injectable()
export class AccessGuard extends AuthGuard(BEARER) {
  private readonly rules = new Map<unknown, AccessRule | undefined>();

  constructor(
    private readonly reflector: Reflector,
    private readonly verifier: TokenVerifier,
    private readonly console: ConsoleCallers,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule === 'open') return true;
    if (rule === undefined)
      throw new ForbiddenError('This route does not declare who may call it, so no role allows it.');
    const request = context.switchToHttp().getRequest<Request>();
    if (request.admittedBy === rule) return true;
    if (!takesAccessToken(rule)) throw new ForbiddenError(`No gate has admitted this request under the rule ${rule}.`);
    if (this.console.isMeant(request)) return this.admitSession(request, context.switchToHttp().getResponse());
    const remembered = this.verifier.recall(bearerToken(request));
    if (!remembered || asksIntrospection(request)) return super.canActivate(context) as Promise<boolean>;
    request.caller = remembered.caller;
    return true;
  }

  /** The options passport passes to the strategy; `AuthGuard` stores its result in `request.caller`. */
  override getAuthenticateOptions(): BearerOptions & { property: keyof Request } {
    return { verifier: this.verifier, property: 'caller' };
  }

  /**
   * For responses outside of routes, such as the one to an unsupported method. A gate before the routes may have
   * admitted the request already.
   *
   * @throws AuthenticationError
   */
  async authenticate(request: Request): Promise<void> {
    if (request.admittedBy !== undefined) return;
    if (this.console.isMeant(request)) {
      request.caller = await this.console.callerOf(request);
      return;
    }
    request.caller = (await this.verifier.verify(bearerToken(request), asksIntrospection(request))).caller;
  }

  private admitSession(request: Request, response: Response): boolean | Promise<boolean> {
    const remembered = this.console.recall(request);
    if (remembered) {
      request.caller = remembered;
      return true;
    }
    return this.console.callerOf(request, response).then((caller) => {
      request.caller = caller;
      return true;
    });
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
}
