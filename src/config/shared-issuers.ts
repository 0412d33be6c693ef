import { parseUrl } from './parse-url';

/** Hosts at which anybody can have an account, or a tenant with any addresses in it, under one and the same issuer. */
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

/** A tenant of one's own is a UUID or a domain; the UUID here is that of all personal Microsoft accounts. */
const SHARED_TENANTS = /^(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad|)$|[{}]|%7b/i;

/**
 * @param issuer an address
 * @returns whether the issuer is known to serve many tenants, so that an address in its tokens may be anybody's word
 */
export function isSharedIssuer(issuer: string): boolean {
  const url = parseUrl(issuer);
  if (!url) return false;
  if (SHARED_HOSTS.has(url.hostname)) return true;
  return MICROSOFT_HOSTS.has(url.hostname) && SHARED_TENANTS.test(url.pathname.split('/')[1] ?? '');
}
