import type { JWTPayload } from 'jose';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Accounts } from '../../users/accounts.service';
import type { ClientStore } from './client-store';
import type { TokenStatus } from './token-status';

/** @returns the claims of an access token of ours that has not expired; undefined for anything else */
export type ReadToken = (token: string) => Promise<JWTPayload | undefined>;

/** What answers about JWTs. */
export interface JwtTokenParts {
  read: ReadToken;
  status: TokenStatus;
  clients: Pick<ClientStore, 'mayIntrospect'>;
  accounts: Pick<Accounts, 'hasEnded'>;
}

/**
 * The library refuses to introspect or revoke JWTs (`unsupported_token_type`), once it has authenticated the client. This
 * answers in exactly that case (RFC 7662, RFC 7009).
 */
export function jwtTokens({ read, ...parts }: JwtTokenParts) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { body } = ctx as { body?: { error?: unknown } };
    const isRefused = typeof body === 'object' && body.error === 'unsupported_token_type';
    if (!isRefused || !ctx.oidc?.client) return;
    const token = ctx.oidc.params?.token;
    const claims = typeof token === 'string' ? await read(token) : undefined;
    if (ctx.oidc.route === 'introspection') await introspect(ctx, parts, claims);
    else if (ctx.oidc.route === 'revocation') await revoke(ctx, parts.status, claims);
  };
}

/** A client that registered itself may only ask about its own tokens: anybody can be one. */
async function introspect(
  ctx: KoaContextWithOIDC,
  { status, clients, accounts }: Omit<JwtTokenParts, 'read'>,
  claims?: JWTPayload,
): Promise<void> {
  const { client } = ctx.oidc;
  ctx.status = 200;
  ctx.body = { active: false };
  if (!claims || !client) return;
  if (claims.client_id !== client.clientId && !(await clients.mayIntrospect(client))) return;
  if (!(await status.isActive(claims))) return;
  const { client_id, exp, iat, iss, jti, aud, scope, sub, gid } = claims;
  // What a token without a grant stands for, a machine or what an operator made it for, has an account by its first call.
  if (await accounts.hasEnded({ issuer: iss ?? '', subject: sub ?? '', saidAt: iat })) return;
  ctx.body = { active: true, client_id, exp, iat, iss, jti, aud, scope, sub, gid, token_type: 'Bearer' };
}

/** Somebody else's token is not revoked; the answer says so only to clients that have proved who they are. */
async function revoke(ctx: KoaContextWithOIDC, status: TokenStatus, claims?: JWTPayload): Promise<void> {
  const { client } = ctx.oidc;
  if (claims && claims.client_id !== client?.clientId && client?.clientAuthMethod !== 'none') {
    ctx.status = 400;
    ctx.body = { error: 'invalid_request', error_description: 'the token belongs to another client' };
    return;
  }
  if (claims?.client_id === client?.clientId && claims) await status.deny(claims);
  ctx.status = 200;
  ctx.body = '';
}
