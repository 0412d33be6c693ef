import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment';
import type { Fault } from '../http/errors';
import { TextChecks } from '../http/text-checks';
import { AddressRules } from './address-rules';

/** The `format` of a `target_url` in the OpenAPI document; requests are held against it when they are validated. */
export const TARGET_URL_FORMAT = 'webhook-target';

const NOT_ABSOLUTE = { msg: 'Must be an absolute address.', type: 'url_parsing' } as const;

/** What a `target_url` must be (contract, section 8). */
@Injectable()
export class TargetUrls {
  private readonly addresses: AddressRules;

  constructor(
    private readonly environment: Environment,
    checks: TextChecks,
  ) {
    checks.register(TARGET_URL_FORMAT, (text) => this.fault(text));
    this.addresses = new AddressRules(environment.webhooksAllowedNetworks);
  }

  /** @returns what is wrong with the address, or undefined */
  fault(targetUrl: string): Omit<Fault, 'loc'> | undefined {
    // The parser of the URL standard strips white space and control characters and mends slashes, all silently; what
    // is stored must be what was sent, and mean the same to every other parser.
    if (!URL.canParse(targetUrl) || /[\s\p{Cc}\\]/u.test(targetUrl)) return NOT_ABSOLUTE;
    const url = new URL(targetUrl);
    const schemes = this.environment.webhooksAllowHttp ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) {
      return { msg: `Must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`, type: 'url_scheme' };
    }
    if (!/^https?:\/\/[^/]/i.test(targetUrl)) return NOT_ABSOLUTE;
    if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(targetUrl)) {
      return { msg: 'Must not hold user name or password.', type: 'value_error' };
    }
    if (targetUrl.includes('#')) return { msg: 'Must not have a fragment.', type: 'value_error' };
    if (!this.addresses.allowsHost(url.hostname)) {
      return { msg: 'Deliveries to this address are refused: it is not public.', type: 'value_error' };
    }
    return undefined;
  }
}
