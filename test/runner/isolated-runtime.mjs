import { createRequire } from 'node:module';
import JestRuntime from 'jest-runtime';
import { SuiteStorages } from './suite-storages.mjs';

const requireOfNode = createRequire(import.meta.url);

/**
 * A jest runtime in which each suite has the program to itself, compiled from its sources, in a context with timers of its
 * own: for suites that stop the clock. Only packages are shared.
 */
export default class IsolatedRuntime extends JestRuntime {
  #storages;

  constructor(...args) {
    super(...args);
    this.#storages = new SuiteStorages(this.coreModule);
  }

  requireModuleOrMock(from, name) {
    if (name === '@jest/globals' || name.startsWith('.')) return super.requireModuleOrMock(from, name);
    return requireOfNode(name);
  }

  teardown() {
    this.#storages.disable();
    super.teardown();
  }
}
