import type { EntityManager } from 'typeorm';

/** Runs changes of what the registry shows. `registry/` implements it, which the folders that change it do not import. */
export abstract class RegistryChanges {
  /**
   * Runs a change in a transaction (`inTransaction`). The next request for the registry to this process sees the change, even
   * before other processes hear of it.
   */
  abstract change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}
