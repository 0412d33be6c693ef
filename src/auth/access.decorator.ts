import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from '../errors/errors';
import type { CredentialScheme } from '../http/openapi/openapi';
import { flag } from '../http/requests/kinds';
import { QueryParam } from '../http/requests/parameters';

const { AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable, Forbidden } = ErrorCode;

/** Who may call a route, what a reader is told of it, and which errors follow from it. */
export interface AccessParts {
  readonly text: string;
  readonly fails: readonly ErrorCode[];
  /** The credential that fulfils it, where no access token does. A gate of its own room lets such requests in. */
  readonly onlyBy?: CredentialScheme;
  /**
   * A credential that fulfils it too. A guard of its own room lets such requests in, before the access guard, and says
   * so in `admittedBy`.
   */
  readonly alsoBy?: CredentialScheme;
}

/** Rules by their names, as `x-access` shows them. */
export type AccessRules = Readonly<Record<string, AccessParts>>;

/** The rules of no particular noun. A noun declares its own in its `*.access.ts`. */
export const ACCESS_RULES = {
  open: { text: 'Open to everyone, without a token.', fails: [] },
  account: { text: 'Any account.', fails: [] },
  'platform-admin': { text: 'Platform administrators.', fails: [Forbidden] },
} satisfies AccessRules;

/** The name of a rule. `Access` of a room takes those that the room knows. */
export type AccessRule = string;

/** Those of all rules that some route states, for the guards, which find the name at the route. */
const STATED = new Map<AccessRule, AccessParts>(Object.entries(ACCESS_RULES));

/** @returns whether the rule asks for an access token of an account */
export function takesAccessToken(rule: AccessRule): boolean {
  return rule !== 'open' && STATED.get(rule)?.onlyBy === undefined;
}

export const ACCESS_RULE = 'toolyard:access';

/**
 * Makes the decorator by which the routes of a room state who may call them: `@Access('account')`. It feeds the guards
 * and the OpenAPI document (`x-access`); a route without it is closed. The access guard authenticates; the guard or the
 * finder of the noun enforces the rule, since that depends on the row. Credentials that are no access token are looked at
 * by a gate before the routes; the access guard only sees to it that it let the request in. `test/access.e2e-spec.ts`
 * tries every rule on every route.
 *
 * @param rules that the room knows: its own, and those of the rooms below it
 */
export function accessBy<const R extends AccessRules>(rules: R): (rule: keyof R & string) => MethodDecorator {
  return (rule) => {
    const parts = rules[rule] as AccessParts;
    STATED.set(rule, parts);
    return applyDecorators(
      SetMetadata(ACCESS_RULE, rule),
      ApiExtension('x-access', { rule, text: parts.text }),
      ...(rule === 'open' ? [] : [documented(parts)]),
    );
  };
}

/** States who may call a route of no particular noun. */
export const Access = accessBy(ACCESS_RULES);

function documented({ fails, onlyBy, alsoBy }: AccessParts): MethodDecorator {
  if (onlyBy) return ApiBearerAuth(onlyBy.name);
  return applyDecorators(
    ApiBearerAuth(),
    ...(alsoBy ? [ApiBearerAuth(alsoBy.name)] : []),
    QueryParam('verify_locally', flag(), {
      fallback: true,
      description:
        '`false`: also ask the authorization server about the token, so that a revoked token or a closed account is rejected at once.',
    }),
    Fails(AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable, ...fails),
  );
}
