import { Injectable } from '@nestjs/common';
import { parseUrl } from '../../config/parse-url';
import { Environment } from '../../config/environment';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';
import { DnsError } from '../../outbound/dns-resolver';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';

/** The `format` of a `target_url` in the OpenAPI document; request validation uses it. */
export const TARGET_URL_FORMAT = 'webhook-target';

/** Replaces a query that the reader may not see. */
export const MASK = '?…';

/** How long saving an endpoint waits for the DNS. */
const DNS_MS = 2_000;

const NOT_ABSOLUTE = { msg: 'Must be an absolute URL.', type: 'url_parsing' } as const;

/** Validates `target_url` values (contract, section 8). */
@Injectable()
export class TargetUrls {
  constructor(
    private readonly environment: Environment,
    checks: TextChecks,
    private readonly addresses: TargetAddresses,
  ) {
    checks.register(TARGET_URL_FORMAT, (text) => this.fault(text), 'uri');
  }

  /** @returns the error that the text of the address alone reveals, or undefined */
  fault(targetUrl: string): Omit<Fault, 'loc'> | undefined {
    const fault = this.formFault(targetUrl);
    if (fault) return fault;
    return this.addresses.allowsHost(new URL(targetUrl).hostname) ? undefined : refused(new RefusedAddressError());
  }

  /**
   * Also resolves the host name. A name that does not resolve yet, or a DNS that does not respond within two seconds,
   * is not an error: deliveries will report it.
   *
   * @returns the error, or undefined
   */
  async refusal(targetUrl: string): Promise<Omit<Fault, 'loc'> | undefined> {
    const fault = this.formFault(targetUrl);
    if (fault) return fault;
    try {
      await this.addresses.resolve(new URL(targetUrl).hostname, AbortSignal.timeout(DNS_MS));
    } catch (error) {
      if (error instanceof RefusedAddressError) return refused(error);
      if (!(error instanceof DnsError)) throw error;
    }
    return undefined;
  }

  /** @returns the error, regardless of the host, or undefined */
  formFault(targetUrl: string): Omit<Fault, 'loc'> | undefined {
    // The URL parser silently strips white space and control characters and repairs slashes. What is stored must be
    // what was sent, and mean the same to every other parser.
    const url = parseUrl(targetUrl);
    if (!url || /[\s\p{Cc}\\]/u.test(targetUrl)) return NOT_ABSOLUTE;
    const schemes = this.environment.webhooksAllowHttp ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) {
      return { msg: `Must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`, type: 'url_scheme' };
    }
    if (!/^https?:\/\/[^/]/i.test(targetUrl)) return NOT_ABSOLUTE;
    if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(targetUrl)) {
      return { msg: 'Must not contain a user name or password.', type: 'value_error' };
    }
    if (targetUrl.endsWith(MASK)) {
      return {
        msg: 'The query of this URL is hidden from you; provide the complete URL.',
        type: 'value_error',
      };
    }
    if (targetUrl.includes('#')) return { msg: 'Must not contain a fragment.', type: 'value_error' };
    return undefined;
  }
}

function refused(error: RefusedAddressError): Omit<Fault, 'loc'> {
  return { msg: error.message, type: 'value_error' };
}
