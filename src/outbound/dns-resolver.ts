import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** How long one query waits before it is repeated; doubles with every try. */
const FIRST_TRY_MS = 1_000;
const TRIES = 3;

/** How long to wait for one address family after the other has answered (RFC 8305, section 3, says 50 ms). */
const OTHER_FAMILY_MS = 200;

/** The maximum duration of a TXT query, whatever servers there are. */
const TXT_DEADLINE_MS = 10_000;

/** Codes that mean: the DNS works, but the name does not exist or has no address. */
const NO_SUCH_NAME: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** A name has no address, or the DNS did not answer. */
export class DnsError extends Error {
  /** @param isUnknown whether the DNS answered that the name does not exist, or has no address */
  constructor(readonly isUnknown: boolean) {
    super(isUnknown ? 'The DNS has no address for this name.' : 'The DNS did not answer for this name.');
    this.name = 'DnsError';
  }
}

/**
 * Queries the DNS. Not `dns.lookup`: that is getaddrinfo on a thread pool, of which libuv gives two threads of four to
 * look-ups, so that two names whose servers are silent would stop every delivery. As a consequence, names are queried
 * exactly as written: the hosts file and search domains of this machine are ignored.
 */
@Injectable()
export class DnsResolver {
  /**
   * @param signal aborts the look-up
   * @returns the IPv4 and IPv6 addresses of the name; at least one
   * @throws DnsError
   */
  async lookup(hostname: string, signal: AbortSignal): Promise<string[]> {
    if (signal.aborted) throw new DnsError(false);
    const resolver = this.open();
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let otherFamily: NodeJS.Timeout | undefined;
    const answered = (addresses: string[]) => {
      otherFamily ??= setTimeout(cancel, OTHER_FAMILY_MS);
      return addresses;
    };
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname).then(answered),
        resolver.resolve6(hostname).then(answered),
      ]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw new DnsError(answers.every((answer) => answer.status === 'fulfilled' || isUnknown(answer.reason)));
    } finally {
      clearTimeout(otherFamily);
      signal.removeEventListener('abort', cancel);
    }
  }

  /**
   * Reads the TXT records of a name, such as those that prove control of a domain. Takes 10 seconds at most.
   *
   * @returns at least one record; the strings of a record are joined without a separator, as in RFC 7208, section 3.3
   * @throws DnsError if the name does not exist or has no TXT record, or if the DNS does not answer
   */
  async txt(name: string): Promise<string[]> {
    const resolver = this.open();
    const deadline = setTimeout(() => resolver.cancel(), TXT_DEADLINE_MS);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((strings) => strings.join(''));
    } catch (error) {
      throw new DnsError(isUnknown(error));
    } finally {
      clearTimeout(deadline);
    }
  }

  /**
   * A new one for each look-up: it can be cancelled separately, and picks up a changed resolv.conf. Takes some 35 µs.
   */
  protected open(): Resolver {
    return new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  }
}

function isUnknown(error: unknown): boolean {
  return NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code);
}
