/** Where tokens are got and given back, and who we are there. */
export interface TokenEndpoint {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** RFC 7009; undefined: nowhere. */
  readonly revocationEndpoint?: string | undefined;
  /** What the tokens are for (RFC 8707). */
  readonly resource?: string | undefined;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly tokenAuth: TokenAuth;
}

/** How a client authenticates at the token endpoint (RFC 7591, section 2). */
export const TOKEN_AUTHS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type TokenAuth = (typeof TOKEN_AUTHS)[number];

/**
 * @param declared what the server has registered, if it says so
 * @param supported what it says it supports; empty: it does not say, which means Basic (RFC 8414, section 2)
 */
export function tokenAuthOf(
  hasSecret: boolean,
  declared: string | null | undefined,
  supported: readonly string[],
): TokenAuth {
  if (!hasSecret) return 'none';
  const known = TOKEN_AUTHS.find((auth) => auth === declared);
  if (known !== undefined && known !== 'none') return known;
  const hasBasic = supported.length === 0 || supported.includes('client_secret_basic');
  return hasBasic ? 'client_secret_basic' : 'client_secret_post';
}

/** Adds what proves who we are (RFC 6749, section 2.3.1). The parts of Basic are form-encoded first, as it says there. */
export function authenticate(
  { clientId, clientSecret, tokenAuth }: Pick<TokenEndpoint, 'clientId' | 'clientSecret' | 'tokenAuth'>,
  headers: Headers,
  form: URLSearchParams,
): void {
  if (tokenAuth === 'client_secret_basic' && clientSecret !== undefined) {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers.set('Authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
    return;
  }
  form.set('client_id', clientId);
  if (tokenAuth === 'client_secret_post' && clientSecret !== undefined) form.set('client_secret', clientSecret);
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
