import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import {
  byCompose,
  byKubernetes,
  compose,
  deployments,
  type Manifest,
  manifests,
  question,
  server,
  type Service,
  type Wanted,
} from '../../../../test/support/containers';
import type { Template } from '../../launch/template';
import { cases } from '../../../../test/support/random-cases';

const OWN = { npm: ['HOME', 'npm_config_cache', 'npm_config_update_notifier'], pypi: ['HOME', 'UV_CACHE_DIR', 'PYTHONUNBUFFERED'] }; // prettier-ignore
const without = (env: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** The words that a shell makes of the line, with the program replaced by one that prints them. */
function wordsBy(line: string, env: Record<string, string>): string[] {
  const printing = line.replace(/^exec npx/, "exec /usr/bin/printf '%s\\0' first");
  const printed = execFileSync('/bin/sh', ['-c', printing], { env, encoding: 'utf8' });
  return printed.split('\0').slice(1, -1);
}

describe.each(['compose', 'kubernetes'] as const)('What a server gets by %s', (client) => {
  const text = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '$',
        '$$',
        '${HOME}',
        '$(HOME)',
        '${A:?b}',
        '$(TOOLYARD_S0)',
        "'",
        '"',
        '\n- a: b',
        '#',
        '`id`',
        'yes',
        '1e3',
        '\u0085',
      ),
    )
    .map((each) => each.toWellFormed().replaceAll('\0', ''));
  const variable = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/).map((name) => `X${name}`);
  const secret = fc.nat({ max: 3 }).map((index) => question(`s${index}`));
  const template = fc.array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: secret }), {
    maxLength: 4,
  });
  const SECRETS = ['first $(id) ${X}', 'second \' " `', '$TOOLYARD_S0', 'fourth\n$$'];
  const filled = (parts: Template) =>
    parts.map((part) => (typeof part === 'string' ? part : SECRETS[Number(part.name.slice(1))])).join('');

  /** The environment and the words of the one server. */
  function given(wanted: Wanted) {
    const one = server(wanted);
    const answers = Object.fromEntries(
      SECRETS.map((value, index) => [client === 'compose' ? `WEATHER__S${index}` : `S${index}`, value]),
    );
    const { env, line } =
      client === 'compose'
        ? byCompose(compose([one]).services['mcp-weather'] as Service, answers)
        : byKubernetes(deployments(manifests([one]))[0] as Manifest, answers);
    return { env, line };
  }

  it('is exactly what was planned, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.array(template, { maxLength: 5 }),
        fc.dictionary(variable, template, { maxKeys: 5, noNullPrototype: true }),
        (words, env) => {
          const result = given({ words: [['npx'], ...words], env });
          const helpers = Object.keys(result.env).filter((name) => name.startsWith('TOOLYARD_'));
          expect(without(result.env, [...OWN.npm, ...helpers])).toEqual(
            Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
          );
          const known = Object.fromEntries(helpers.map((name) => [name, result.env[name] as string]));
          expect(wordsBy(result.line, known)).toEqual(words.map(filled));
        },
      ),
      { numRuns: cases(60) },
    );
  });

  it('is never a secret in the file, nor one without a reference to it', () => {
    const env: Record<string, Template> = { KEY: [question('s0')], AUTH: ['Bearer ', question('s1')] };
    const words: Template[] = [['npx'], ['-y'], ['weather@1.0.0'], [question('s2')]];
    expect(() => {
      const one = server({ env, words });
      if (client === 'compose') byCompose(compose([one]).services['mcp-weather'] as Service);
      else byKubernetes(deployments(manifests([one]))[0] as Manifest);
    }).toThrow(/is missing/);
    expect(given({ env, words }).env).toMatchObject({ KEY: SECRETS[0], AUTH: `Bearer ${SECRETS[1] ?? ''}` });
  });

  it('does not depend on variables with the names of ours', () => {
    const env: Record<string, Template> = { TOOLYARD_S0: ['theirs'], HOME: ['/root'], Npm_Config_Cache: ['/x'] };
    const result = given({ env, words: [['npx'], [question('s0')]] });
    expect(result.env).toMatchObject({ TOOLYARD_S0: 'theirs', TOOLYARD_S0_2: SECRETS[0], HOME: '/tmp' });
    expect(result.env).not.toHaveProperty('Npm_Config_Cache');
    expect(wordsBy(result.line, result.env)).toEqual([SECRETS[0]]);
  });

  it('has a name of its own, a label of the DNS', () => {
    const key = fc.stringMatching(/^[a-z0-9](-?[a-z0-9]){0,63}$/).filter((each) => each.length <= 64);
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 20 }), (keys) => {
        const servers = keys.map((each) => server({ key: each }));
        const names =
          client === 'compose'
            ? Object.keys(compose(servers).services)
            : deployments(manifests(servers)).map(({ metadata }) => metadata.name);
        expect(names).toHaveLength(keys.length);
        expect(new Set(names).size).toBe(keys.length);
        for (const name of names) expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
      }),
      { numRuns: cases(50) },
    );
  });
});
