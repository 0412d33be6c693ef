import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from '../errors/errors';
import type { CredentialScheme } from '../http/openapi/openapi';
import { NeedsScope } from '../http/openapi/openapi-scopes';
import { flag } from '../http/requests/kinds';
import { QueryParam } from '../http/requests/parameters';
import { ACCOUNT_SCOPES, type Scope } from './scopes';

const { AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable, Forbidden, InsufficientScope } =
  ErrorCode;

/** Who may call a route, how the document describes it, and which errors follow from it. */
export interface AccessParts {
  readonly text: string;
  readonly fails: readonly ErrorCode[];
  /** The scope that it requires wherever it is stated, instead of those of the module. */
  readonly scope?: Scope;
  /** The credential that satisfies it instead of an access token. Its own module's gate admits such requests. */
  readonly onlyBy?: CredentialScheme;
  /**
   * A credential that also satisfies it. A guard of its own module admits such requests before the access guard, and
   * records that in `admittedBy`.
   */
  readonly alsoBy?: CredentialScheme;
}

/** Rules by name, as `x-access` shows them. */
export type AccessRules = Readonly<Record<string, AccessParts>>;

/** The scopes that the routes of a module require: to read, and for everything else. */
export interface ModuleScopes {
  readonly read: Scope;
  readonly write: Scope;
}

/** The rules shared by all modules. A module declares its own in its `*.access.ts`. */
export const ACCESS_RULES = {
  open: { text: 'Open to everyone, without a token.', fails: [] },
  account: { text: 'Any account.', fails: [] },
  'platform-admin': { text: 'Platform administrators.', fails: [Forbidden], scope: 'platform:admin' },
} satisfies AccessRules;

/** The name of a rule. A module's own `Access` accepts only the rules it can depend on. */
export type AccessRule = string;

/** All rules used by some route, for the guards, which find the name at the route. */
const STATED = new Map<AccessRule, AccessParts>(Object.entries(ACCESS_RULES));

/** @returns whether the rule requires an access token of an account */
export function takesAccessToken(rule: AccessRule): boolean {
  return rule !== 'open' && STATED.get(rule)?.onlyBy === undefined;
}

export const ACCESS_RULE = 'toolyard:access';

/** The `ModuleScopes` of a route, of which its method chooses one. */
export const ACCESS_SCOPES = 'toolyard:scopes';

/**
 * Creates the decorator with which the routes of a module declare who may call them: `@Access('account')`. It feeds the
 * guards and the OpenAPI document (`x-access`); a route without it is closed. The access guard authenticates; the
 * module's guard or finder enforces the rule, since that depends on the row. Credentials other than access tokens are
 * checked by a gate before the routes; the access guard only verifies that the gate admitted the request.
 * `test/access.e2e-spec.ts` tries every rule on every route.
 *
 * Each route also requires a scope of tokens that are limited to some (`scopes.ts`): one to read, another one for every
 * other method. Where the method misleads, such as a preview by POST, the route states its scope itself.
 *
 * @param rules the module's own, and those of the modules it depends on
 * @param scopes what its routes require
 */
export function accessBy<const R extends AccessRules>(
  rules: R,
  scopes: ModuleScopes,
): (rule: keyof R & string, scope?: Scope) => MethodDecorator {
  return (rule, scope) => {
    const parts = rules[rule] as AccessParts;
    const only = scope ?? parts.scope;
    STATED.set(rule, parts);
    return applyDecorators(
      SetMetadata(ACCESS_RULE, rule),
      ApiExtension('x-access', { rule, text: parts.text }),
      ...(rule === 'open' ? [] : [documented(parts, only ? { read: only, write: only } : scopes)]),
    );
  };
}

/** Declares who may call a route of no particular module. */
export const Access = accessBy(ACCESS_RULES, ACCOUNT_SCOPES);

function documented({ fails, onlyBy, alsoBy }: AccessParts, scopes: ModuleScopes): MethodDecorator {
  if (onlyBy) return ApiBearerAuth(onlyBy.name);
  return applyDecorators(
    SetMetadata(ACCESS_SCOPES, scopes),
    NeedsScope(scopes),
    ApiBearerAuth(),
    ...(alsoBy ? [ApiBearerAuth(alsoBy.name)] : []),
    QueryParam('verify_locally', flag(), {
      fallback: true,
      description:
        '`false`: also ask the authorization server about the token, so that a revoked token or a closed account is rejected immediately.',
    }),
    Fails(AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable, InsufficientScope, ...fails),
  );
}
