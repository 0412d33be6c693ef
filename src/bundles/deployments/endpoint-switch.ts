import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** @returns whether the bundle is served as an MCP endpoint now */
export type IsServed = (manager: EntityManager, bundleId: string) => Promise<boolean>;

/** Says whether bundles are served as MCP endpoints. The room that serves them is above this one and registers itself. */
@Injectable()
export class EndpointSwitch {
  /** @param manager of a transaction that has locked the bundle */
  isOn: IsServed = () => Promise.resolve(false);

  /** At startup. */
  register(isOn: IsServed): void {
    this.isOn = isOn;
  }
}
