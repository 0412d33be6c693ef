import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** @returns whether the bundle is served as an MCP endpoint now */
export type IsServed = (manager: EntityManager, bundleId: string) => Promise<boolean>;

/** What ends with the endpoint of a bundle. */
export interface EndpointUse {
  is_enabled: boolean;
  /** People and access tokens that have sessions with its servers. */
  user_count: number;
  /** For its entries, of the bundle and of people. */
  credential_count: number;
}

/** @returns how the endpoint of a bundle is used now */
export type UseOfEndpoint = (manager: EntityManager, bundleId: string) => Promise<EndpointUse>;

/** What is known of bundles as MCP endpoints. The room that serves them is above this one and registers itself. */
@Injectable()
export class EndpointSwitch {
  /** @param manager of a transaction that has locked the bundle */
  isOn: IsServed = () => Promise.resolve(false);

  useOf: UseOfEndpoint = () => Promise.resolve({ is_enabled: false, user_count: 0, credential_count: 0 });

  /** At startup. */
  register(isOn: IsServed, useOf: UseOfEndpoint): void {
    this.isOn = isOn;
    this.useOf = useOf;
  }
}
