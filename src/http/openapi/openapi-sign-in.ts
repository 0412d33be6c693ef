import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf } from './openapi-walk';

/** The flow by which a reader of the document signs in: code and PKCE. The addresses are relative to the server. */
export interface SignInFlow {
  authorizationUrl: string;
  tokenUrl: string;
  /** Each with its meaning. */
  scopes: Readonly<Record<string, string>>;
}

const SCHEME = 'oauth2';
const BEARER = 'bearer';

/** The part of an operation that says which credentials it takes. */
interface SecuredOperation extends Operation {
  security?: Record<string, string[]>[];
}

/** Lets every operation that takes an access token obtain one by signing in, with the scopes that it requires. */
export function addSignIn(document: OpenAPIObject, flow: SignInFlow): void {
  document.components = {
    ...document.components,
    securitySchemes: {
      ...document.components?.securitySchemes,
      [SCHEME]: {
        type: 'oauth2',
        description: 'Signs you in here, by code and PKCE, if this server is its own authorization server.',
        flows: { authorizationCode: { ...flow, scopes: { ...flow.scopes } } },
      },
    },
  };
  for (const { operation } of operationsOf<SecuredOperation>(document)) {
    const bearer = operation.security?.find((requirement) => BEARER in requirement);
    if (bearer) operation.security?.push({ [SCHEME]: bearer[BEARER] ?? [] });
  }
}
