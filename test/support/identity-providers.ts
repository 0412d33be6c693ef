import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PUBLIC_URL } from './app';

export const CLIENT_ID = 'toolyard';
export const CLIENT_SECRET = 'a+b%c:d e-and-long-enough-for-any-algorithm';

/** How a provider behaves, as products do. */
export interface ProviderShape {
  /** Part of the path of the callback; by default the only one's. */
  id?: string;
  /** Claims about people are at the UserInfo endpoint only, as of Okta and of oidc-provider itself. */
  isThin?: boolean;
  authMethod?: 'client_secret_basic' | 'client_secret_post' | 'none';
  algorithm?: 'RS256' | 'PS256' | 'ES256';
  /** Every ID token says when the person proved who they are; otherwise only those for requests with `max_age`. */
  hasAuthTime?: boolean;
  /** Whether it asks the person again if a request says so. */
  obeys?: boolean;
}

export type Claims = Record<string, unknown>;

interface Reply {
  id?: number;
  result?: unknown;
  error?: string;
}

/** Real OpenID providers, in a process of their own. */
export class IdentityProviders {
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private asked = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (reply: Reply) => this.waiting.get(reply.id ?? -1)?.(reply));
  }

  static async start(): Promise<IdentityProviders> {
    const child = fork(join(__dirname, 'identity-providers.mjs'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    await once(child, 'message');
    return new IdentityProviders(child);
  }

  /** @returns the issuer of a new provider, of which we are a client */
  add({ id = 'company', isThin, authMethod, algorithm, hasAuthTime, obeys }: ProviderShape = {}): Promise<string> {
    const client = {
      client_id: CLIENT_ID,
      ...(authMethod === 'none' ? {} : { client_secret: CLIENT_SECRET }),
      token_endpoint_auth_method: authMethod ?? 'client_secret_basic',
      id_token_signed_response_alg: algorithm ?? 'RS256',
      redirect_uris: [`${PUBLIC_URL}/sso/${id}/callback`],
      backchannel_logout_uri: `${PUBLIC_URL}/sso/${id}/backchannel-logout`,
      backchannel_logout_session_required: true,
      ...(hasAuthTime ? { require_auth_time: true } : {}),
    };
    return this.ask('start', { clients: [client], isThin, obeys }) as Promise<string>;
  }

  /** @param userinfo what the UserInfo endpoint says, if it is something else */
  async person(issuer: string, subject: string, claims: Claims, userinfo?: Claims): Promise<void> {
    await this.ask('person', { issuer, subject, claims, userinfo });
  }

  /** @param obeys whether it asks people again from now on if a request says so */
  async obey(issuer: string, obeys: boolean): Promise<void> {
    await this.ask('obey', { issuer, obeys });
  }

  /** Where the provider finds our public address. */
  async route(to: string): Promise<void> {
    await this.ask('route', { origin: PUBLIC_URL, to });
  }

  /** @returns `ok`, or what our endpoint answered */
  logOut(issuer: string, subject: string, sid: string): Promise<unknown> {
    return this.ask('logOut', { issuer, clientId: CLIENT_ID, subject, sid });
  }

  async stop(issuer: string): Promise<void> {
    await this.ask('stop', { issuer });
  }

  async close(): Promise<void> {
    this.child.disconnect();
    if (this.child.exitCode === null) await once(this.child, 'exit');
  }

  private ask(command: string, input: object): Promise<unknown> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) => {
        this.waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.child.send({ id, command, input });
    });
  }
}
