import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { SsoProvider } from '../../config/sso-providers';
import { RelyingParty } from './relying-party';

/** The id of the issuer of access tokens (`OIDC_ISSUER`) in the paths of a sign-in there. */
const EXTERNAL = 'issuer';

/** The OpenID providers at which people sign in. */
@Injectable()
export class RelyingParties implements OnApplicationBootstrap {
  /** In the order of their buttons. */
  readonly all: readonly RelyingParty[];

  constructor({ ssoProviders, externalIssuer, publicUrl }: Environment, clock: Clock) {
    const providers: readonly SsoProvider[] =
      externalIssuer?.clientId === undefined
        ? ssoProviders
        : [
            {
              id: EXTERNAL,
              name: new URL(externalIssuer.issuer).hostname,
              issuer: externalIssuer.issuer,
              clientId: externalIssuer.clientId,
              clientSecret: externalIssuer.clientSecret,
              trustsEmail: externalIssuer.trustsEmail,
              // As for its access tokens.
              signUp: 'anybody',
              domains: [],
            },
          ];
    this.all = providers.map(
      (provider) => new RelyingParty(provider, `${publicUrl}/sso/${provider.id}/callback`, clock),
    );
  }

  /** So that the buttons know which provider is down. One that is does not stop the start. */
  onApplicationBootstrap(): void {
    for (const party of this.all) {
      // The issuer of access tokens is asked when it is needed: its client may be there for introspection only.
      if (party.provider.id !== EXTERNAL) party.discover().catch(() => undefined);
    }
  }

  find(id: string): RelyingParty | undefined {
    return this.all.find(({ provider }) => provider.id === id);
  }
}
