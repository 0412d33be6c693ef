import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import JestRuntime from 'jest-runtime';
import { SuiteStorages } from './suite-storages.mjs';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const requireOfNode = createRequire(import.meta.url);
/** These keep in the global object what they know of a suite, and are evaluated for each. */
const KEEP_STATE = ['expect', '@jest/expect'];

/**
 * A jest runtime in which all suites of a worker share the program, its packages and the support of the tests. Only the
 * suite's own file is compiled and evaluated for each suite; whatever it imports is required once from dist/, by Node.
 */
export default class SharedRuntime extends JestRuntime {
  #storages;

  constructor(...args) {
    super(...args);
    this.#storages = new SuiteStorages(this.coreModule);
    const { executor } = this;
    if (typeof executor?.compile !== 'function') throw new Error('jest-runtime compiles by another method now.');
    // In the realm of the worker, and not in a context of its own: an array of a suite is an array of the program.
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModuleOrMock(from, name) {
    if (name === '@jest/globals') return super.requireModuleOrMock(from, name);
    return requireOfNode(name.startsWith('.') ? join(DIST, relative(ROOT, resolve(dirname(from), name))) : name);
  }

  /** Packages of jest. */
  requireInternalModule(from, to) {
    const isShared = to !== undefined && !to.startsWith('.') && !isBuiltin(to) && !KEEP_STATE.includes(to);
    return isShared ? createRequire(from)(to) : super.requireInternalModule(from, to);
  }

  teardown() {
    this.#storages.disable();
    super.teardown();
  }
}
