import type { Notifications } from '../../database/notifications';
import { OPEN_POLICY } from '../rules/policy';
import type { PrincipalPolicies } from '../rules/policy-store';
import { NO_RULES } from '../rules/tool-rules';
import type { ToolRulesReader } from '../rules/tool-rules-reader';
import type { StoredDefinition, UpstreamState } from '../upstreams/upstream';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import type { Upstreams } from '../upstreams/upstreams.service';
import { BundleCompiler } from './bundle-compiler';
import type { DefinitionSizes } from './definition-sizes';
import type { EndpointAliases } from './endpoint-aliases';
import type { EndpointUpstreams } from './endpoint-upstreams';
import type { EntrySources } from './entry-sources';
import type { KeyedTarget } from './compiled-bundle';
import { ServerSnapshots } from './server-snapshots';

const upstream = (id: string): UpstreamState => ({
  id,
  url: `https://${id}.example`,
  headers: {},
  modern: '2026-07-28',
  legacy: null,
  serverInfo: null,
  capabilities: null,
  instructions: null,
  listedAt: new Date(),
  listError: null,
  leftOut: [],
  ttlMs: null,
});

const target = (personId: string, entriesDigest = 'same'): KeyedTarget => ({
  bundleId: '019a9f64-59cb-7615-8c3e-20b6d1f79ea8',
  name: 'Work',
  slug: 'work',
  boundVersion: null,
  version: 1,
  personId,
  tokenId: null,
  presentation: 'ALL',
  policyDigest: '',
  naming: 'PREFIX',
  nameBudget: 48,
  key: `key ${entriesDigest}`,
  entriesDigest,
});

/** A compiler of bundles in which each person sees the entries that `views` says. */
function compilerOf(views: Record<string, { digest: string; entries: string[] }>, bytes: Record<string, number> = {}) {
  const used: string[] = [];
  const policies = { digest: '' };
  const reads: string[] = [];
  const upstreams: Pick<Upstreams, 'ensure' | 'definitions' | 'noteUse' | 'onChange'> = {
    ensure: (wanted) => Promise.resolve(wanted.map(({ url }) => upstream(url))),
    definitions: (sets) =>
      Promise.resolve(
        [...sets.keys()].map((id): StoredDefinition => {
          const body = JSON.stringify({ name: 'x', inputSchema: { type: 'object' } });
          return { upstreamId: id, kind: 'tool', name: 'x', body, digest: Buffer.alloc(0) };
        }),
      ),
    noteUse: (ids) => void used.push(...ids),
    onChange: () => undefined,
  };
  const sources: Pick<EntrySources, 'read'> = {
    read: ({ personId }) => {
      reads.push(personId);
      const { digest = '', entries = [] } = views[personId] ?? {};
      const found = entries.map((id) => {
        const wanted = { url: id, headers: {} };
        return { id, key: id, listingName: id, listingVersion: '1', upstream: wanted };
      });
      return Promise.resolve({ sources: found, problems: [], digest });
    },
  };
  const aliases: Pick<EndpointAliases, 'of'> = {
    of: (_bundleId, entries) => Promise.resolve(new Map(entries.map(({ id, key }) => [id, key]))),
  };
  const sizes: Pick<DefinitionSizes, 'of'> = { of: () => Promise.resolve(new Map(Object.entries(bytes))) };
  const compiler = new BundleCompiler(
    sources as EntrySources,
    aliases as EndpointAliases,
    { note: () => undefined } as unknown as EndpointUpstreams,
    sizes as DefinitionSizes,
    upstreams as Upstreams,
    { connected: true } as Notifications,
    { of: () => Promise.resolve({ policy: OPEN_POLICY, digest: policies.digest }) } as unknown as PrincipalPolicies,
    { read: () => Promise.resolve(NO_RULES) } as unknown as ToolRulesReader,
    new ServerSnapshots(upstreams as Upstreams, new UpstreamLimits()),
  );
  return { compiler, used, reads, policies };
}

describe('The compiler of bundles', () => {
  afterEach(() => jest.restoreAllMocks());

  it('compiles once for everybody who sees the same', async () => {
    const { compiler, reads } = compilerOf({ ada: { digest: 'same', entries: ['a'] } });
    const [one, other] = await Promise.all([compiler.compile(target('ada')), compiler.compile(target('bob'))]);
    expect(one).toBe(other);
    expect(await compiler.compile(target('eve'))).toBe(one);
    expect(reads).toEqual(['ada']);
  });

  it('compiles what a neighbour wants, or waits for too, before the rest of what one person wants', async () => {
    // A compilation that takes long rests, and others overtake it.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const entries = { digest: 'same', entries: ['a'] };
    const { compiler } = compilerOf({ mallory: entries, ada: entries });
    const done: string[] = [];
    const compile = (personId: string, name: string) =>
      compiler.compile({ ...target(personId), key: name }).then(() => done.push(`${personId} ${name}`));
    const all = Array.from({ length: 20 }, (_, n) => compile('mallory', `${n}`));
    await Promise.all([...all, compile('ada', 'own'), compile('ada', '19')]);
    expect(done.indexOf('ada own')).toBeLessThan(10);
    expect(done.indexOf('ada 19')).toBeLessThan(12);
  });

  it('gives nobody what another person may use since they were admitted', async () => {
    const { compiler } = compilerOf({
      ada: { digest: 'more', entries: ['a', 'secret'] },
      bob: { digest: 'same', entries: ['a'] },
    });
    const [ofAda, ofBob] = await Promise.all([compiler.compile(target('ada')), compiler.compile(target('bob'))]);
    expect([...ofAda.tools.keys()]).toEqual(['a__x', 'secret__x']);
    expect([...ofBob.tools.keys()]).toEqual(['a__x']);
    expect([...(await compiler.compile(target('bob'))).tools.keys()]).toEqual(['a__x']);
  });

  it('keeps nothing under a key whose rules have changed since', async () => {
    const { compiler, reads, policies } = compilerOf({ ada: { digest: 'same', entries: ['a'] } });
    policies.digest = 'stricter';
    const first = await compiler.compile(target('ada'));
    policies.digest = '';
    expect(await compiler.compile(target('ada'))).not.toBe(first);
    expect(reads).toHaveLength(2);
  });

  it('notes the use of the servers of a bundle as long as it is used', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { compiler, used, reads } = compilerOf({ ada: { digest: 'same', entries: ['a', 'b'] } });
    const bundle = await compiler.compile(target('ada'));
    await compiler.compile(target('ada'));
    expect(used).toEqual(['a', 'b']);
    now += 61_000;
    await compiler.compile(target('ada'));
    expect(used).toEqual(['a', 'b', 'a', 'b']);
    // An open stream.
    now += 61_000;
    compiler.noteUse(bundle);
    compiler.noteUse(bundle);
    expect(used).toHaveLength(6);
    expect(reads).toEqual(['ada']);
  });

  it('never has more than 32 MiB of definitions of a bundle', async () => {
    const { compiler } = compilerOf(
      { ada: { digest: 'same', entries: ['a', 'b', 'c'] } },
      { a: 20_000_000, b: 14_000_000, c: 10_000_000 },
    );
    const { tools, problems } = await compiler.compile(target('ada'));
    expect([...tools.keys()]).toEqual(['a__x', 'c__x']);
    expect(problems).toMatchObject([{ code: 'left_out', entryId: 'b' }]);
  });
});
