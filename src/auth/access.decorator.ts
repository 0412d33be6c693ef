import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from '../errors/errors';
import { flag } from '../http/requests/kinds';
import { QueryParam } from '../http/requests/parameters';

const { AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable } = ErrorCode;
const {
  OrganisationNotFound,
  ListingNotFound,
  NamespaceNotFound,
  BundleNotFound,
  WebhookEndpointNotFound,
  InsufficientRole,
  Forbidden,
} = ErrorCode;

/** Who may call a route, what a reader is told of it, and which errors follow from it. Default is deny. */
const RULES = {
  open: { text: 'Open to everybody, without a token.', fails: [] },
  account: { text: 'Any account.', fails: [] },
  'organisation-member': { text: 'Members of the organisation.', fails: [OrganisationNotFound] },
  'organisation-member-or-suspended': {
    text: 'Members of the organisation; to leave, also those whom its directory has deactivated.',
    fails: [OrganisationNotFound],
  },
  'organisation-admin': {
    text: 'ADMIN or OWNER of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
  'organisation-owner': {
    text: 'OWNER of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
  'bundle-reader': {
    text: 'Whoever may see the bundle: everybody for a public one, else its owner, its editors and the members of its organisation.',
    fails: [BundleNotFound],
  },
  'bundle-reader-or-token': {
    text: 'Whoever may see the bundle: everybody for a public one, else its owner, its editors and the members of its organisation. Also whoever has an access token of the bundle.',
    fails: [BundleNotFound],
  },
  'bundle-insider': {
    text: 'The owner and the editors of the bundle, and the members of its organisation.',
    fails: [BundleNotFound, Forbidden],
  },
  'bundle-editor': {
    text: 'The owner and the editors of the bundle; for a bundle of an organisation its ADMINs and OWNERs, and the MEMBERs who own or edit it.',
    fails: [BundleNotFound, Forbidden],
  },
  'listing-reader': {
    text: 'Whoever may see the listing: everybody for a published, public one, else those to whom it belongs.',
    fails: [ListingNotFound],
  },
  'listing-editor': {
    text: 'The owner of a personal listing; for one of an organisation its ADMINs and OWNERs, and MEMBERs as long as it is a draft of theirs; platform administrators for one that is or was public.',
    fails: [ListingNotFound, Forbidden],
  },
  'namespace-reader': {
    text: 'The person who has the namespace, or the members of the organisation that has it; platform administrators.',
    fails: [NamespaceNotFound],
  },
  'namespace-manager': {
    text: 'The person who has the namespace, or ADMIN or OWNER of the organisation that has it; platform administrators.',
    fails: [NamespaceNotFound, InsufficientRole],
  },
  'platform-admin': { text: 'Platform administrators.', fails: [Forbidden] },
  'endpoint-reader': {
    text: 'The person to whom the endpoint belongs, or the members of its organisation.',
    fails: [WebhookEndpointNotFound],
  },
  'endpoint-manager': {
    text: 'The person to whom the endpoint belongs, or ADMIN or OWNER of its organisation.',
    fails: [WebhookEndpointNotFound, InsufficientRole],
  },
  'scim-token': { text: 'An identity provider with a SCIM token of the organisation.', fails: [] },
} satisfies Record<string, { text: string; fails: ErrorCode[] }>;

export type AccessRule = keyof typeof RULES;

/** The security schemes of the rules that no access token fulfils. A gate of their own room lets such requests in. */
const OTHER_SCHEMES: Partial<Record<AccessRule, string>> = { 'scim-token': 'scimToken' };

/** @returns whether the rule asks for an access token of an account */
export function takesAccessToken(rule: AccessRule): boolean {
  return rule !== 'open' && OTHER_SCHEMES[rule] === undefined;
}

/**
 * The security schemes of the rules that another credential fulfils, too. A guard of its own room lets such requests in,
 * before the access guard, and says so in `admittedBy`.
 */
const FURTHER_SCHEMES: Partial<Record<AccessRule, string>> = { 'bundle-reader-or-token': 'bundleToken' };

export const ACCESS_RULE = 'toolyard:access';

/**
 * States who may call a route. Feeds the guards and the OpenAPI document (`x-access`). The access guard
 * authenticates, the organisation guard enforces the `organisation-…` rules (but for the one that takes no role, which is
 * the members' own), and the finders of bundles and webhook endpoints enforce theirs, since they depend on the row. Credentials that are no access token are looked at by a gate
 * before the routes; the access guard only sees to it that it let the request in. `test/access.e2e-spec.ts` tries every rule on every route.
 */
export function Access(rule: AccessRule): MethodDecorator {
  const { text, fails } = RULES[rule];
  const documented = [SetMetadata(ACCESS_RULE, rule), ApiExtension('x-access', { rule, text })];
  if (rule === 'open') return applyDecorators(...documented);
  const scheme = OTHER_SCHEMES[rule];
  if (scheme !== undefined) return applyDecorators(...documented, ApiBearerAuth(scheme));
  const further = FURTHER_SCHEMES[rule];
  return applyDecorators(
    ...documented,
    ApiBearerAuth(),
    ...(further === undefined ? [] : [ApiBearerAuth(further)]),
    QueryParam('verify_locally', flag(), {
      fallback: true,
      description:
        '`false`: ask the authorization server about the token too, so that a revoked one or a closed account is refused at once.',
    }),
    Fails(AuthenticationRequired, InvalidToken, AuthorizationServerUnavailable, ...fails),
  );
}
