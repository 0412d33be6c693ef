import {
  BARE_CLIENT,
  type CompiledBundle,
  type CompiledEntry,
  type ExposedDefinition,
  type Problem,
  type ReachableEntry,
} from '../compile/compiled-bundle';
import { OPEN_POLICY } from '../rules/policy';
import { READS } from '../rules/tool-hints';
import type { UpstreamState } from '../upstreams/upstream';
import { entriesOf, type ReportHead, reportOf } from './endpoint-report';
import { MAX_PROBLEMS } from './endpoint-report.dto';

const LISTED = new Date('2026-11-23T08:00:00.000Z');
const state = (rest: Partial<UpstreamState> = {}): UpstreamState => ({
  id: 'u',
  url: 'https://u.example',
  headers: {},
  modern: '2026-07-28',
  legacy: '',
  serverInfo: null,
  capabilities: null,
  instructions: null,
  listedAt: LISTED,
  listError: null,
  leftOut: [],
  ttlMs: null,
  ...rest,
});
const entry = (id: string, upstream: UpstreamState | null = state()): CompiledEntry => ({
  id,
  key: id,
  alias: id,
  listingName: `com.example/${id}`,
  listingVersion: '1.0.0',
  upstream,
});
const offer = (of: CompiledEntry, name: string): ExposedDefinition => ({
  entry: of as ReachableEntry,
  name,
  digest: Buffer.alloc(32),
  isHeld: false,
  hints: READS,
});
const NO_PAGES = { 'tools/list': [], 'prompts/list': [], 'resources/list': [], 'resources/templates/list': [] };
const compiled = (parts: Partial<CompiledBundle>): CompiledBundle => ({
  bundleId: 'b',
  client: BARE_CLIENT,
  serverInfo: { name: 'b', version: '1' },
  entries: [],
  policy: OPEN_POLICY,
  search: undefined,
  tools: new Map(),
  prompts: new Map(),
  resources: new Map(),
  templates: new Map(),
  problems: [],
  problemCount: 0,
  pages: NO_PAGES,
  legacyPages: NO_PAGES,
  digests: { tools: '', prompts: '', resources: '' },
  instructions: undefined,
  extensions: {},
  bytes: 0,
  ...parts,
});
const HEAD = {
  bundle_id: 'b',
  is_enabled: true,
  version: 3,
  naming: 'PREFIX',
  name_budget: 48,
  policy_findings: [],
} as const satisfies ReportHead;

describe('The report of an endpoint', () => {
  it('says of each entry how far its server is known, and why no further', () => {
    const problems: Problem[] = [
      { code: 'unavailable', entryId: 'hidden', detail: 'You may not see it.' },
      { code: 'no_remote', entryId: 'package', detail: 'It is a package.' },
      { code: 'left_out', entryId: 'ready', subject: 'x', detail: 'It has no "inputSchema".' },
      { code: 'endpoint_url_kept', entryId: 'new', detail: 'It is used all the same.' },
      { code: 'not_listed', entryId: 'new', detail: 'Its lists have not been read yet.' },
    ];
    const entries = [
      entry('ready'),
      entry('new', state({ listedAt: null })),
      entry('down', state({ listError: 'It did not answer.' })),
      entry('package', null),
    ];
    const shown = entriesOf(compiled({ entries, problems }), (id) => (id === 'down' ? 17 : 0));
    expect(shown.map((one) => [one.entry_id, one.state, one.reason, one.paused_for])).toEqual([
      ['ready', 'READY', null, 0],
      ['new', 'WAITING', 'Its lists have not been read yet.', 0],
      ['down', 'FAILING', 'It did not answer.', 17],
      ['package', 'OUT_OF_REACH', 'It is a package.', 0],
      ['hidden', 'UNAVAILABLE', 'You may not see it.', 0],
    ]);
    expect(shown[0]).toMatchObject({
      modern_revision: '2026-07-28',
      legacy_revision: '',
      listed_at: LISTED.toISOString(),
    });
    expect(shown[4]).toMatchObject({ key: null, alias: null, listing_name: null });
  });

  it('counts what each entry offers, and the bytes and tokens of the tools', () => {
    const [a, b] = [entry('a'), entry('b')];
    const ofTool = { inputSchema: undefined, annotations: undefined, fixedArguments: null };
    const tool = (of: CompiledEntry, name: string) => {
      return { ...offer(of, name), isPinned: false, wrapsOutput: false, paramHeaders: [], ...ofTool };
    };
    const tools = new Map([
      ['a__x', tool(a, 'x')],
      ['a__y', tool(a, 'y')],
    ]);
    const bundle = compiled({
      entries: [a, b],
      tools,
      resources: new Map([['file:///b', offer(b, 'file:///b')]]),
      pages: {
        ...NO_PAGES,
        'tools/list': [{ start: 0, count: 2, items: Buffer.from('"tools":[]'), next: undefined }],
      },
    });
    const report = reportOf(
      HEAD,
      bundle,
      entriesOf(bundle, () => 0),
    );
    expect(report.entries.map((one) => [one.entry_id, one.tool_count, one.resource_count])).toEqual([
      ['a', 2, 0],
      ['b', 0, 1],
    ]);
    expect(report.tools).toEqual([
      { name: 'a__x', entry_id: 'a', upstream_name: 'x' },
      { name: 'a__y', entry_id: 'a', upstream_name: 'y' },
    ]);
    expect([report.tools_bytes, report.tools_tokens]).toEqual([10, 3]);
  });

  it('has the first thousand problems, and how many there are', () => {
    const problems = Array.from({ length: MAX_PROBLEMS + 1 }, (_, index): Problem => {
      return { code: 'left_out', entryId: 'a', subject: String(index), detail: 'It has no name.' };
    });
    const report = reportOf(HEAD, compiled({ problems, problemCount: 70_000 }), []);
    expect([report.problems.length, report.problem_count]).toEqual([MAX_PROBLEMS, 70_000]);
    expect(report.problems[0]).toEqual({
      code: 'left_out',
      entry_id: 'a',
      other_entry_id: null,
      subject: '0',
      detail: 'It has no name.',
    });
  });
});
