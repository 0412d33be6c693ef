import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment';
import { parseUrl } from '../../config/parse-url';
import { isLoopback } from '../../config/sso-providers';
import { TargetAddresses } from '../../outbound/target-addresses';
import { ConnectFailure } from './connect-failure';

const MAX_URL_LENGTH = 2_048;

/**
 * Which addresses of OAuth servers are used at all: `https`, or `http` on this machine where the operator allows that
 * (MCP 2026-07-28, "Communication Security"). That keeps out `javascript:`, `data:` and everything else that a browser would
 * run when a person is sent there. The addresses that a name resolves to are checked when they are dialled.
 */
@Injectable()
export class OAuthUrls {
  constructor(
    private readonly addresses: TargetAddresses,
    private readonly environment: Environment,
  ) {}

  /**
   * @param what names it in the log: `the token endpoint`
   * @throws ConnectFailure `unsafe`
   */
  require(text: string, what: string): URL {
    const url = text.length <= MAX_URL_LENGTH ? parseUrl(text) : undefined;
    if (!url) throw new ConnectFailure('unsafe', `${what} has no valid address`);
    const { credentialsOverLoopbackHttp } = this.environment;
    const isPlain = url.protocol === 'http:' && isLoopback(url.hostname) && credentialsOverLoopbackHttp;
    if (url.protocol !== 'https:' && !isPlain) throw new ConnectFailure('unsafe', `${what} is not https`);
    if (url.username !== '' || url.password !== '' || url.hash !== '')
      throw new ConnectFailure('unsafe', `the address of ${what} has a password or a fragment in it`);
    if (!this.addresses.allowsHost(url.hostname)) throw new ConnectFailure('unsafe', `${what} is not public`);
    return url;
  }

  /** @returns undefined for one that must not be used, or is none */
  usable(text: unknown, what: string): string | undefined {
    if (typeof text !== 'string') return undefined;
    try {
      this.require(text, what);
      return text;
    } catch (error) {
      if (error instanceof ConnectFailure) return undefined;
      throw error;
    }
  }
}
