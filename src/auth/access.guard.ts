import { ExecutionContext, Injectable, RequestMethod } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { AuthenticationError, ErrorCode, ForbiddenError, InsufficientScopeError } from '../errors/errors';
import { ACCESS_RULE, ACCESS_SCOPES, AccessRule, ModuleScopes, takesAccessToken } from './access.decorator';
import { asksIntrospection, BEARER, type BearerOptions, bearerToken } from './bearer.strategy';
import type { Caller } from './caller';
import { RECENT_SIGN_IN, RecentSignIn, type RecentSignInRule } from './recent-sign-in';
import { allows, type Scope } from './scopes';
import { ConsoleCallers } from './sessions/console-callers';
import { TokenVerifier } from './token-verifier';

declare module 'express-serve-static-core' {
  interface Request {
    /** The rule that a guard or gate before this one found satisfied, by a credential other than an access token. */
    admittedBy?: AccessRule;
    /** Requests with the same key count together; the gate that admitted them sets it. Without it, `caller` counts. */
    countedAs?: string;
  }
}

/** What a route requires. */
interface Requirement {
  rule: AccessRule | undefined;
  /** A credential that is limited to some scopes needs this one. */
  scope: Scope | undefined;
  /** Undefined: it does not matter when the person signed in. */
  recent: RecentSignInRule | undefined;
}

/**
 * Authenticates the caller of every route that is not declared open, and checks the scope of the credential. A route
 * that declares nothing is closed. A token that was verified before, as in most requests, needs neither a promise nor
 * passport. A session of the console counts wherever an access token does; a request with both is judged by its token.
 */
@Injectable()
export class AccessGuard extends AuthGuard(BEARER) {
  private readonly requirements = new Map<unknown, Requirement>();

  constructor(
    private readonly reflector: Reflector,
    private readonly verifier: TokenVerifier,
    private readonly console: ConsoleCallers,
    private readonly recentSignIn: RecentSignIn,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const requirement = this.requirementOf(context);
    const { rule, scope } = requirement;
    if (rule === 'open') return true;
    if (rule === undefined)
      throw new ForbiddenError('This route does not declare who may call it, so no role allows it.');
    const request = context.switchToHttp().getRequest<Request>();
    if (request.admittedBy === rule) return true;
    if (!takesAccessToken(rule)) throw new ForbiddenError(`No gate has admitted this request under the rule ${rule}.`);
    if (this.console.isMeant(request))
      return this.admitSession(request, context.switchToHttp().getResponse(), requirement);
    try {
      const remembered = this.verifier.recall(bearerToken(request));
      if (!remembered || asksIntrospection(request)) return this.verify(context, request, requirement);
      request.caller = remembered.caller;
    } catch (error) {
      throw naming(scope, error);
    }
    return this.requireRight(request, requirement);
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
      request.caller = await this.console.callerOf(request, undefined, asksIntrospection(request));
      return;
    }
    request.caller = (await this.verifier.verify(bearerToken(request), asksIntrospection(request))).caller;
    requireAudience(request.caller, request.path, undefined);
  }

  /** By passport, for a token that is not remembered or has to be introspected. */
  private async verify(context: ExecutionContext, request: Request, requirement: Requirement): Promise<boolean> {
    try {
      await super.canActivate(context);
    } catch (error) {
      throw naming(requirement.scope, error);
    }
    return this.requireRight(request, requirement);
  }

  /**
   * @throws AuthenticationError for a token of another part of this service; InsufficientScopeError if the credential is
   *   limited to scopes, and the required one is not among them; DomainError `recent_sign_in_required`
   */
  private requireRight({ caller, path }: Request, { scope, recent }: Requirement): true {
    requireAudience(caller, path, scope);
    const isAllowed =
      scope === undefined ||
      allows(caller?.scopes, scope) ||
      (recent?.unless !== undefined && allows(caller?.scopes, recent.unless));
    if (!isAllowed) throw new InsufficientScopeError([scope]);
    if (recent && caller) this.recentSignIn.require(caller, recent);
    return true;
  }

  /** Sessions are not limited to scopes. */
  private admitSession(request: Request, response: Response, requirement: Requirement): boolean | Promise<boolean> {
    const asksDatabase = asksIntrospection(request);
    const remembered = asksDatabase ? undefined : this.console.recall(request);
    if (remembered) {
      request.caller = remembered;
      return this.requireRight(request, requirement);
    }
    return this.console.callerOf(request, response, asksDatabase).then((caller) => {
      request.caller = caller;
      return this.requireRight(request, requirement);
    });
  }

  private requirementOf(context: ExecutionContext): Requirement {
    const handler = context.getHandler();
    let requirement = this.requirements.get(handler);
    if (!requirement) {
      const targets = [handler, context.getClass()];
      const scopes = this.reflector.getAllAndOverride<ModuleScopes | undefined>(ACCESS_SCOPES, targets);
      const method = this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
      requirement = {
        rule: this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets),
        scope: method === RequestMethod.GET ? scopes?.read : scopes?.write,
        recent: this.reflector.get<RecentSignInRule | undefined>(RECENT_SIGN_IN, handler),
      };
      this.requirements.set(handler, requirement);
    }
    return requirement;
  }
}

/**
 * An access token that is for one part of this service only counts there: its audience is the address of that part
 * (RFC 8707). Before its scopes, which are that part's own.
 *
 * @throws AuthenticationError
 */
function requireAudience(caller: Caller | undefined, path: string, scope: Scope | undefined): void {
  const below = caller?.below;
  if (below === undefined || path === below || path.startsWith(`${below}/`)) return;
  throw naming(scope, new AuthenticationError(ErrorCode.InvalidToken, 'The access token is for another audience.'));
}

/** @returns the same error; one that asks for a token names the scope that the token should have */
function naming(scope: Scope | undefined, error: unknown): unknown {
  if (error instanceof AuthenticationError) error.scope = scope;
  return error;
}
