import { Injectable } from '@nestjs/common';
import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';

/** The `format` of a deployment's address in the OpenAPI document. */
export const DEPLOYMENT_URL_FORMAT = 'deployment-url';

const NOT_ABSOLUTE = { msg: 'Must be an absolute address.', type: 'url_parsing' } as const;

/**
 * Everyone who belongs to the bundle sees the address, so it must not contain a password.
 *
 * @param url empty for none
 * @returns its fault, or undefined
 */
export function deploymentUrlFault(url: string): Omit<Fault, 'loc'> | undefined {
  if (url === '') return undefined;
  // The parser silently removes white space and corrects slashes, but other programs may not.
  const parsed = parseUrl(url);
  if (!parsed || /[\s\p{Cc}\\]/u.test(url)) return NOT_ABSOLUTE;
  if (!['http:', 'https:'].includes(parsed.protocol)) {
    return { msg: 'Must begin with https:// or http://.', type: 'url_scheme' };
  }
  if (!/^https?:\/\/[^/]/i.test(url)) return NOT_ABSOLUTE;
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url)) {
    return { msg: 'Must not contain a user name or password.', type: 'value_error' };
  }
  return undefined;
}

/** Registers the format. */
@Injectable()
export class DeploymentUrlCheck {
  constructor(checks: TextChecks) {
    // Not a `uri` too: an empty text clears the address.
    checks.register(DEPLOYMENT_URL_FORMAT, deploymentUrlFault);
  }
}
