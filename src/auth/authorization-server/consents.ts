import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import type { ArtifactAdapter } from './artifact-adapter';
import { isDeletionScope, isScope, OFFLINE_ACCESS, SCOPES } from '../scopes';
import { IDENTITY_SCOPES, isLoopback, isPrivateUse } from './client-rules';
import type { ClientStore } from './client-store';

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(SCOPES), ...IDENTITY_SCOPES, OFFLINE_ACCESS]);

/** How long an answer on the consent page is remembered. */
const REMEMBERED_S = 366 * 86_400;

/** What a person has allowed a client before: per client, resource and scopes. */
export class Consents {
  constructor(
    private readonly memory: ArtifactAdapter,
    private readonly clients: ClientStore,
  ) {}

  /**
   * Whether an answer does not count for the next request. What deletes for good is never allowed by what was said another
   * time, nor by an administrator who trusts a client. And any program on the computer can register a client and listen on
   * a loopback port or claim a scheme, so that it would receive what another program was allowed.
   */
  async asksAlways({ oidc: { client, requestParamScopes } }: KoaContextWithOIDC): Promise<boolean> {
    if ([...requestParamScopes].some(isDeletionScope)) return true;
    if (!client?.redirectUris?.length) return false;
    if (!client.redirectUris.every((uri) => isLoopback(uri) || isPrivateUse(uri))) return false;
    return (await this.clients.facts(client.clientId))?.source === 'REGISTRATION';
  }

  /**
   * The grant for a request: the one of this answer to the consent page, else the one of this session and client; a new
   * one if the client is trusted, or the person has allowed as much before.
   */
  async grantFor(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
    const { oidc } = ctx;
    const { client, session, account, provider } = oidc;
    if (!client || !account) return undefined;
    const answered = oidc.result?.consent?.grantId;
    const grantId = answered ?? session?.grantIdFor(client.clientId);
    const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const usable = found?.accountId === account.accountId && found.clientId === client.clientId ? found : undefined;
    if (answered !== undefined || !(await this.isAllowed(ctx))) return usable;
    const grant = usable ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    addScopes(grant, Object.keys(oidc.resourceServers ?? {}), knownScopes(oidc.requestParamScopes));
    await grant.save();
    return grant;
  }

  /** Notes what a person has allowed, in addition to what they allowed before. */
  async remember(accountId: string, clientId: string, resources: readonly string[], scopes: string[]): Promise<void> {
    for (const resource of resources) {
      const lasting = scopes.filter((scope) => !isDeletionScope(scope));
      const all = [...new Set([...(await this.allowed(accountId, clientId, resource)), ...lasting])];
      const exp = Math.floor(Date.now() / 1_000) + REMEMBERED_S;
      await this.memory.upsert(
        keyOf(accountId, clientId, resource),
        { accountId, clientId, exp, scope: all.join(' ') },
        REMEMBERED_S,
      );
    }
  }

  private async isAllowed(ctx: KoaContextWithOIDC): Promise<boolean> {
    const { client, account, resourceServers = {}, requestParamScopes } = ctx.oidc;
    if (!client || !account) return false;
    if ([...requestParamScopes].some(isDeletionScope)) return false;
    if ((await this.clients.facts(client.clientId))?.isTrusted) return true;
    if (await this.asksAlways(ctx)) return false;
    for (const [resource, { scopes }] of Object.entries(resourceServers)) {
      const allowed = new Set(await this.allowed(account.accountId, client.clientId, resource));
      // A scope of another resource gives nothing here, so nobody was asked about it.
      const meant = knownScopes(requestParamScopes).filter((scope) => !isScope(scope) || scopes.has(scope));
      if (meant.some((scope) => !allowed.has(scope))) return false;
    }
    return true;
  }

  private async allowed(accountId: string, clientId: string, resource: string): Promise<string[]> {
    const memory = await this.memory.find(keyOf(accountId, clientId, resource));
    if (!memory?.scope || (memory.exp ?? 0) * 1_000 < Date.now()) return [];
    return memory.scope.split(' ');
  }
}

/** @returns the scopes that exist here, each once; the library ignores others, too (RFC 6749, section 3.3) */
export function knownScopes(scopes: Iterable<string>): string[] {
  return Array.from(new Set(scopes)).filter((scope) => KNOWN.has(scope));
}

/** Adds scopes to a grant: those about the person, and those of each resource. */
export function addScopes(grant: Grant, resources: readonly string[], scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  grant.addOIDCScope([...scopes]);
  for (const resource of resources) grant.addResourceScope(resource, [...scopes]);
}

function keyOf(accountId: string, clientId: string, resource: string): string {
  return `${accountId}\n${clientId}\n${resource}`;
}
