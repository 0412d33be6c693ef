/**
 * Networks that are not part of the public Internet (IANA special-purpose address registry for IPv4), and the metadata
 * addresses of clouds. CIDR blocks and not named ranges, because libraries call some of them unicast.
 */
export const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Everything public of IPv6 is in it … */
export const PUBLIC_IPV6 = '2000::/3';

/** … except for what is not public after all, or only wraps an IPv4 address (IANA special-purpose address registry). */
export const PRIVATE_IN_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
