import { ModuleMocker } from 'jest-mock';

/** What jest keeps under symbols of the global object, for one suite. */
const OF_JEST = /^(JEST_|EVENT_HANDLERS$|TEST_TIMEOUT_SYMBOL$|RETRY_|WAIT_BEFORE_RETRY$|LOG_ERRORS_BEFORE_RETRY$)/;

/**
 * An environment without a context of its own: suites run in the realm of the worker, with the program that is loaded in
 * it. What a suite sets in the process is taken back after it.
 */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** They would stop the clock of everything in the worker; see the project `timers` in jest.config.mjs. */
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;
  #exit = process.exit;
  #variables = { ...process.env };
  /** jest replaces it by one that loads modules for the suite; undefined before Node 22.3. */
  #getBuiltinModule = process.getBuiltinModule;

  constructor({ projectConfig }) {
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {
    this.#restoreBuiltins();
  }

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_JEST.test(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    }
  }

  #restoreBuiltins() {
    if (this.#getBuiltinModule) process.getBuiltinModule = this.#getBuiltinModule;
  }

  getVmContext() {
    return globalThis;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
