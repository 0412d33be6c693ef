import { DnsError, DnsResolver } from '../../src/outbound/dns-resolver';

/** A DNS that has TXT records and no addresses. */
export class TxtDns extends DnsResolver {
  /** By name; what is missing does not exist. */
  readonly records = new Map<string, string[]>();
  /** Every name that was asked for, in order. */
  readonly questions: string[] = [];
  /** Whether it answers at all. */
  isSilent = false;

  override lookup(): Promise<string[]> {
    return Promise.reject(new DnsError(true));
  }

  override txt(name: string): Promise<string[]> {
    this.questions.push(name);
    if (this.isSilent) return Promise.reject(new DnsError(false));
    const records = this.records.get(name);
    return records ? Promise.resolve(records) : Promise.reject(new DnsError(true));
  }
}
