import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment';
import { AddressRules, bareHost } from './address-rules';
import { DnsResolver } from './dns-resolver';

/** How many addresses of one name are dialled, one after the other, until one accepts the connection. */
const MAX_ADDRESSES = 4;

const PUBLIC_ONLY = new AddressRules([]);

/** An address that may be dialled. */
export interface TargetAddress {
  address: string;
  family: 4 | 6;
}

/** Deliveries to this host are refused, whatever it would answer. */
export class RefusedAddressError extends Error {
  /** @param isPublic whether it is, but only addresses in allowed networks could be dialled */
  constructor(readonly isPublic = false) {
    super('Deliveries to this address are not allowed: it is not public.');
    this.name = 'RefusedAddressError';
  }
}

/**
 * Where a target may be dialled (contract, section 8). The only way from a host to an address for webhooks, so that
 * saving, ping, delivery, redelivery and recovery apply the same rule.
 */
@Injectable()
export class TargetAddresses {
  private readonly rules: AddressRules;

  constructor(
    environment: Environment,
    private readonly dns: DnsResolver,
  ) {
    this.rules = new AddressRules(environment.webhooksAllowedNetworks);
  }

  /** @returns whether the host may be a target as far as its text shows; see {@link AddressRules.allowsHost} */
  allowsHost(hostname: string): boolean {
    return this.rules.allowsHost(hostname);
  }

  /** @returns whether the host is public as far as its text shows, and not just allowed by the operator */
  isPublicHost(hostname: string): boolean {
    return PUBLIC_ONLY.allowsHost(hostname);
  }

  /**
   * @param hostname as the URL standard serializes it
   * @param signal aborts the DNS query
   * @param isForAllowedNetworks whether addresses that are just public are refused, too
   * @returns the addresses to dial, and no others: at least one, IPv4 first, the families alternating
   * @throws RefusedAddressError if the host or every address of it is refused; DnsError
   */
  async resolve(hostname: string, signal: AbortSignal, isForAllowedNetworks = false): Promise<TargetAddress[]> {
    if (!this.rules.allowsHost(hostname)) throw new RefusedAddressError();
    const host = bareHost(hostname);
    if (isIP(host) !== 0) return [toTargetAddress(host)];
    const addresses = this.rules.loopbackOf(host) ?? (await this.dns.lookup(host, signal));
    // Refused addresses of a mixed answer are dropped: the owner of the name chose them, so nobody else is harmed.
    const allowed = addresses.filter((address) => this.rules.allowsAddress(address));
    const vetted = isForAllowedNetworks ? allowed.filter((address) => this.rules.isInAllowedNetwork(address)) : allowed;
    if (vetted.length === 0) throw new RefusedAddressError(allowed.length > 0);
    return inTurn(vetted.map(toTargetAddress)).slice(0, MAX_ADDRESSES);
  }
}

function toTargetAddress(address: string): TargetAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/** IPv4 first: where there is no route for IPv6, as in most containers, nothing has to fail first. */
function inTurn(addresses: TargetAddress[]): TargetAddress[] {
  const ipv4 = addresses.filter(({ family }) => family === 4);
  const ipv6 = addresses.filter(({ family }) => family === 6);
  return Array.from({ length: Math.max(ipv4.length, ipv6.length) }, (_, index) => [ipv4[index], ipv6[index]])
    .flat()
    .filter((address) => address !== undefined);
}
