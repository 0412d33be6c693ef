import { BlockList, isIP } from 'node:net';
import { PRIVATE_IN_PUBLIC_IPV6, PRIVATE_IPV4 } from '../config/private-networks';

/** All of IPv6 but `PUBLIC_IPV6`. */
const OUTSIDE_PUBLIC_IPV6 = ['::/3', '4000::/2', '8000::/1'];

/** Names that resolvers answer from their own table or by multicast, whatever the DNS says (RFC 6761, 6762, 8375). */
const NOT_PUBLIC_NAMES = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/;

/**
 * Suffixes that clusters and private networks resolve themselves: services there have short names, such as
 * `kubernetes.default` or `vault.service.consul`. None is a top-level domain of the Internet; `corp`, `home` and `mail`
 * never will be, for that reason (ICANN resolution 2018.02.04.12).
 */
const CLUSTER_NAMES =
  /(^|\.)(default|svc|pod|cluster|consul|kube-system|kube-public|docker|swarm|nomad|lan|intranet|private|corp|home|mail)$/;

/** Names of this machine, which are never sent to the DNS (RFC 6761, section 6.3). */
const NAMES_OF_THIS_MACHINE = /(^|\.)localhost$/;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Which addresses webhooks may be sent to: public ones, and the networks that the operator allowed (contract,
 * section 8).
 */
export class AddressRules {
  private readonly refused = new Networks([...PRIVATE_IPV4, ...OUTSIDE_PUBLIC_IPV6, ...PRIVATE_IN_PUBLIC_IPV6]);
  private readonly opened: Networks;
  private readonly opensSome: boolean;
  private readonly loopback: readonly string[];

  /** @param allowedNetworks CIDR blocks that are allowed although they are not public */
  constructor(allowedNetworks: readonly string[]) {
    this.opened = new Networks(allowedNetworks);
    this.opensSome = allowedNetworks.length > 0;
    this.loopback = LOOPBACK.filter((address) => this.opened.hold(address));
  }

  /**
   * @param hostname as the URL standard serializes it: `URL` has already normalized decimal, hexadecimal and octal
   *   spellings; an IPv6 address is in brackets
   * @returns whether it may be a target as far as the name shows; the addresses that a name resolves to are checked
   *   when they are dialled
   */
  allowsHost(hostname: string): boolean {
    const host = bareHost(hostname);
    if (isIP(host) !== 0) return this.allowsAddress(host);
    // A name with an empty label ("localhost..") is invalid, and resolvers differ on it.
    const labels = host.split('.');
    if (labels.includes('')) return false;
    if (NAMES_OF_THIS_MACHINE.test(host)) return this.loopback.length > 0;
    // A name without a dot is never public. With allowed networks, both kinds may resolve to an allowed address, so the
    // addresses decide.
    return this.opensSome || (labels.length > 1 && !NOT_PUBLIC_NAMES.test(host) && !CLUSTER_NAMES.test(host));
  }

  /**
   * @returns the allowed loopback addresses if the name is `localhost` or below it; undefined for all other names
   */
  loopbackOf(hostname: string): readonly string[] | undefined {
    return NAMES_OF_THIS_MACHINE.test(bareHost(hostname)) ? this.loopback : undefined;
  }

  /** @param address IPv4 or IPv6, as a socket would dial it; one with a zone is link-local, which is not public */
  allowsAddress(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const embedded = embeddedIPv4(address);
    if (embedded !== undefined) return this.allowsAddress(embedded);
    return this.opened.hold(address) || !this.refused.hold(address);
  }

  /** @returns whether the address is in a network that the operator allowed, and not just public */
  isInAllowedNetwork(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    return this.opened.hold(embeddedIPv4(address) ?? address);
  }
}

/** @returns the bare name or address: without brackets, without the trailing dot, in lower case */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The IPv4 address inside an IPv4-mapped (RFC 4291, section 2.5.5.2) or NAT64 address (RFC 6052, 64:ff9b::/96): packets
 * go there, so the rules apply to it.
 */
function embeddedIPv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const match = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
  if (match) {
    const [high, low] = [parseInt(match[1] ?? '0', 16), parseInt(match[2] ?? '0', 16)];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return undefined;
}

/** CIDR blocks, separate by family: a `BlockList` also matches an IPv4 address in the IPv6 block that maps it. */
class Networks {
  private readonly ipv4 = new BlockList();
  private readonly ipv6 = new BlockList();

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix = ''] = network.split('/');
      if (isIP(address) === 6) this.ipv6.addSubnet(address, Number(prefix), 'ipv6');
      else this.ipv4.addSubnet(address, Number(prefix), 'ipv4');
    }
  }

  hold(address: string): boolean {
    return isIP(address) === 6 ? this.ipv6.check(address, 'ipv6') : this.ipv4.check(address, 'ipv4');
  }
}
