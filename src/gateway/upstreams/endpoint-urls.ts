import { Injectable } from '@nestjs/common';
import { endpointUrlFault, ENTRY_ENDPOINT_FORMAT } from '../../bundles/entries/entry-endpoint';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';
import { TargetAddresses } from '../../outbound/target-addresses';

/**
 * Which addresses editors may give as `endpoint_url` of an entry, as far as their text shows. What a name resolves to is
 * checked whenever it is dialled (`UpstreamAgents`), as for the servers that listings name.
 */
@Injectable()
export class EndpointUrls {
  constructor(
    checks: TextChecks,
    private readonly addresses: TargetAddresses,
  ) {
    checks.register(ENTRY_ENDPOINT_FORMAT, (text) => this.fault(text), 'uri');
  }

  private fault(text: string): Omit<Fault, 'loc'> | undefined {
    const fault = endpointUrlFault(text);
    if (fault) return fault;
    const { protocol, hostname } = new URL(text);
    if (!this.addresses.allowsHost(hostname))
      return { msg: 'Must be a public address, or one in a network that the operator allows.', type: 'value_error' };
    // In the clear only within networks of the operator.
    if (protocol === 'http:' && this.addresses.isPublicHost(hostname))
      return {
        msg: 'Must start with https://; http:// is for hosts in networks that the operator allows.',
        type: 'url_scheme',
      };
    return undefined;
  }
}
