import { configFaults, readConfig } from './entry-config';

const faults = (config: unknown) =>
  configFaults(config as Record<string, unknown>).map(({ loc, type }) => `${['config', ...loc].join('.')} ${type}`);

describe('The configuration of a bundle entry', () => {
  it('can contain anything besides what the export reads', () => {
    const config = {
      env: { REGION: 'eu', PORT: 8080, DEBUG: true },
      headers: { 'X-Tenant': 'acme' },
      variables: { tenant: 'acme', '--port': '1' },
      args: ['--verbose'],
      run_with: 'npm',
      ours: [{ deep: null }],
    };
    expect(faults(config)).toEqual([]);
    expect(readConfig(config)).toEqual({
      env: new Map(Object.entries({ REGION: 'eu', PORT: '8080', DEBUG: 'true' })),
      headers: new Map([['x-tenant', { name: 'X-Tenant', value: 'acme' }]]),
      variables: new Map(Object.entries({ tenant: 'acme', '--port': '1' })),
      args: ['--verbose'],
      runWith: 'npm',
    });
    expect(faults({})).toEqual([]);
  });

  it('is rejected with the place of each error', () => {
    expect(
      faults({
        env: { 'A=B': 'x', OK: null, GOOD: 'x' },
        headers: ['X-Tenant'],
        variables: { deep: {} },
        args: ['a', 1],
        run_with: 'bash',
      }),
    ).toEqual([
      'config.env.A=B value_error',
      'config.env.OK string_type',
      'config.headers dict_type',
      'config.variables.deep string_type',
      'config.args.1 string_type',
      'config.run_with enum',
    ]);
    expect(faults({ args: 'a', headers: { 'X Y': 'a', 'X-Y': 'a\r\nX-Z: b' } })).toEqual([
      'config.headers.X Y value_error',
      'config.headers.X-Y value_error',
      'config.args list_type',
    ]);
  });

  it('is limited to 16 KiB, in bytes, and cannot contain numbers that would lose precision', () => {
    const text = (length: number) => ({ text: 'ü'.repeat(length) });
    const room = (16_384 - JSON.stringify(text(0)).length) / 2;
    expect(faults(text(Math.floor(room)))).toEqual([]);
    expect(faults(text(Math.floor(room) + 1))).toEqual(['config value_error']);
    expect(faults(JSON.parse('{"a": [1e400]}'))).toEqual(['config value_error']);
  });

  it('is read as far as possible if it predates the rules', () => {
    const { env, headers, variables, args, runWith } = readConfig({
      env: 'no',
      headers: null,
      variables: [1],
      args: [1, 'a'],
      run_with: 'bash',
    });
    expect([env.size, headers.size, variables.size, args, runWith]).toEqual([0, 0, 0, ['a'], undefined]);
  });
});
