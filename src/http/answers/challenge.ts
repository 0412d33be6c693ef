import { AuthenticationError, ErrorCode, InsufficientScopeError } from '../../errors/errors';

/**
 * Builds the value of `WWW-Authenticate` (RFC 6750, section 3), with the parameter of RFC 9728, section 5.1, by which a
 * client finds the authorization server, and the scope that it should request there.
 *
 * @param realm the name of the protected part
 * @param error what the response reports
 * @param metadataUrl the address of the RFC 9728 document
 * @returns undefined if no other token would help
 */
export function challengeOf(realm: string, error: Error, metadataUrl: string): string | undefined {
  if (error instanceof InsufficientScopeError)
    return challenge(realm, { error: error.code, text: error.message, metadataUrl, scope: error.missing.join(' ') });
  if (!(error instanceof AuthenticationError)) return undefined;
  const { code, message, scope } = error;
  // Without a token there is no `error` at all (section 3.1): the client needs a token, not another one.
  return challenge(realm, {
    ...(code === ErrorCode.InvalidToken.code && { error: code, text: message }),
    metadataUrl,
    scope,
  });
}

interface Parts {
  error?: string;
  text?: string;
  metadataUrl: string;
  scope?: string;
}

function challenge(realm: string, { error, text, metadataUrl, scope }: Parts): string {
  const parameters = {
    realm,
    error,
    error_description: text?.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' '),
    resource_metadata: metadataUrl,
    scope,
  };
  return `Bearer ${Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}
