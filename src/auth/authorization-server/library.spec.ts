import { withoutRuntimeWarning } from './library';

const KNOWN = 'oidc-provider WARNING: Unsupported runtime. Use Node.js v22.x LTS, or a later LTS release.';

describe('Loading the library of the protocol', () => {
  let seen: unknown[][];

  beforeEach(() => {
    seen = [];
    jest.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => void seen.push(words));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([KNOWN, `\x1b[31;1m${KNOWN}\x1b[0m`])('does not show that it supports newer runtimes only: %j', (line) => {
    expect(withoutRuntimeWarning(() => (console.warn(line), 'loaded'))).toBe('loaded');
    expect(seen).toEqual([]);
  });

  it.each([
    ['oidc-provider WARNING: a quick start development-only in-memory adapter is used'],
    [`${KNOWN}\nAnd this.`],
    [`Other: ${KNOWN}`],
    [KNOWN, { more: 1 }],
    [],
  ])('shows every other warning as it is: %j', (...words) => {
    withoutRuntimeWarning(() => console.warn(...words));
    expect(seen).toEqual([words]);
  });

  it('shows everything again afterwards, also if it cannot be loaded', () => {
    const { warn } = console;
    const fail = () =>
      withoutRuntimeWarning(() => {
        throw new Error('Cannot find module');
      });
    expect(fail).toThrow('Cannot find module');
    expect(console.warn).toBe(warn);
  });
});
