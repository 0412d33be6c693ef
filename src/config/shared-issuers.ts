import { parseUrl } from './parse-url';

/** Hosts where anyone can have an account, or a tenant with arbitrary addresses, under the same issuer. */
const SHARED_HOSTS = new Set([
  'accounts.google.com',
  'appleid.apple.com',
  'api.login.yahoo.com',
  'discord.com',
  'github.com',
  'gitlab.com',
  'id.twitch.tv',
  'login.salesforce.com',
  'oauth.id.jumpcloud.com',
  'slack.com',
  'token.actions.githubusercontent.com',
  'www.facebook.com',
  'www.linkedin.com',
]);

const MICROSOFT_HOSTS = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]);

/** A single tenant is a UUID or a domain. The UUID below stands for all personal Microsoft accounts. */
const SHARED_TENANTS = /^(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad|)$|[{}]|%7b/i;

/**
 * @param issuer the URL of an issuer
 * @returns whether the issuer is known to serve many tenants, so that anyone can have any address in its tokens
 */
export function isSharedIssuer(issuer: string): boolean {
  const url = parseUrl(issuer);
  if (!url) return false;
  if (SHARED_HOSTS.has(url.hostname)) return true;
  return MICROSOFT_HOSTS.has(url.hostname) && SHARED_TENANTS.test(url.pathname.split('/')[1] ?? '');
}

/**
 * @param issuer the URL of an issuer
 * @returns whether it is the common one of all tenants of Entra ID: tokens have that of their own tenant, and no token
 *   has this one
 */
export function servesAllTenants(issuer: string): boolean {
  return isSharedIssuer(issuer) && MICROSOFT_HOSTS.has(parseUrl(issuer)?.hostname ?? '');
}
