import { DynamicModule, Global, Module } from '@nestjs/common';
import { DnsResolver } from './dns-resolver';
import { TargetAddresses } from './target-addresses';

/** Where this service may connect to on behalf of others: webhook targets and registries to import from. */
@Global()
@Module({ providers: [TargetAddresses], exports: [TargetAddresses] })
export class OutboundModule {
  /** @param dns resolves names to addresses */
  static with(dns: DnsResolver): DynamicModule {
    return { module: OutboundModule, providers: [{ provide: DnsResolver, useValue: dns }], exports: [DnsResolver] };
  }
}
