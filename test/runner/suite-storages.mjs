import * as asyncHooks from 'node:async_hooks';

const NAME = /^(?:node:)?async_hooks$/;

/**
 * The storages (`AsyncLocalStorage`) that jest and what it evaluates make for one suite. Node 20 copies each of them into
 * every promise of the process until it is disabled, which jest-circus never does
 * (findings/jest-keeps-a-storage-for-each-suite.sh).
 */
export class SuiteStorages {
  #storages = [];

  /** @param coreModule of the runtime of a suite: what requires the modules of Node */
  constructor(coreModule) {
    if (typeof coreModule?.require !== 'function') throw new Error('jest-runtime requires by another method now.');
    const storages = this.#storages;
    class RememberedStorage extends asyncHooks.AsyncLocalStorage {
      constructor(...args) {
        super(...args);
        storages.push(this);
      }
    }
    const requireCore = coreModule.require.bind(coreModule);
    const replaced = { ...asyncHooks, AsyncLocalStorage: RememberedStorage };
    coreModule.require = (name) => (NAME.test(name) ? replaced : requireCore(name));
  }

  /** The suite has ended. @throws Error if it had none: jest-circus makes one for each */
  disable() {
    if (this.#storages.length === 0) throw new Error('jest-circus makes its storage in another way now.');
    for (const storage of this.#storages) storage.disable();
  }
}
