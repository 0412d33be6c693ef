import type { CompiledBundle, ExposedDefinition, ReachableEntry } from '../compile/compiled-bundle';
import { OPEN_POLICY, Policy } from '../rules/policy';
import { READS } from '../rules/tool-hints';
import type { JsonObject } from '../protocol/json-rpc';
import { declares, entryOfReference, entryOfResource } from './routes';

const entry = (key: string, capabilities: JsonObject | null = null) =>
  ({ id: key, key, upstream: { capabilities } }) as unknown as ReachableEntry;
const offers = (all: Record<string, ReachableEntry>) =>
  new Map<string, ExposedDefinition>(
    Object.entries(all).map(([key, own]) => [
      key,
      { entry: own, name: key, digest: Buffer.alloc(32), isHeld: false, hints: READS },
    ]),
  );
const bundleOf = (
  entries: ReachableEntry[],
  resources: Record<string, ReachableEntry> = {},
  templates: Record<string, ReachableEntry> = {},
  policy = OPEN_POLICY,
) => ({ entries, policy, resources: offers(resources), templates: offers(templates) }) as unknown as CompiledBundle;

const [a, b, c] = [entry('a'), entry('b', { resources: {} }), entry('c', { tools: {} })];

describe('The server of a resource', () => {
  it('is the one that lists it', () => {
    expect(entryOfResource(bundleOf([a, b], { 'x://1': b }, { 'x://{id}': a }), 'x://1')).toBe(b);
  });

  it('is the one with the most specific template that it can be of', () => {
    const bundle = bundleOf([a, b, c], {}, { 'x://{id}': a, 'x://notes/{id}': b, '{any}': c });
    expect(entryOfResource(bundle, 'x://notes/1')).toBe(b);
    expect(entryOfResource(bundle, 'x://other')).toBe(a);
    expect(entryOfResource(bundle, 'y://other')).toBe(c);
  });

  it('is nobody for an address that the policy does not allow, wherever that leads', () => {
    const rule = { place: 0, effect: 'DENY', tools: 'x://secret/*', hint: null, entryId: 'b' } as const;
    const policy = new Policy('ALLOW', [rule]);
    const bundle = bundleOf([b], { 'x://secret/1': b }, { 'x://{id}': b }, policy);
    expect(entryOfResource(bundle, 'x://secret/1')).toBeUndefined();
    expect(entryOfResource(bundle, 'x://secret/unlisted')).toBeUndefined();
    expect(entryOfReference(bundle, 'x://secret/unlisted')).toBeUndefined();
    expect(entryOfResource(bundleOf([b], {}, {}, policy), 'x://secret/2')).toBeUndefined();
    expect(entryOfResource(bundle, 'x://open')).toBe(b);
  });

  it('is the only one that has any, else nobody knows', () => {
    expect(entryOfResource(bundleOf([b, c]), 'z://1')).toBe(b);
    expect(entryOfResource(bundleOf([a]), 'z://1')).toBe(a);
    expect(entryOfResource(bundleOf([a, b]), 'z://1')).toBeUndefined();
    expect(entryOfResource(bundleOf([c]), 'z://1')).toBeUndefined();
    expect(entryOfResource(bundleOf([]), 'z://1')).toBeUndefined();
  });

  it('is named by its template, too, where arguments are completed', () => {
    expect(entryOfReference(bundleOf([a, b], {}, { 'x://{id}': b }), 'x://{id}')).toBe(b);
  });
});

describe('A capability', () => {
  it('is declared, not declared, or not known', () => {
    expect([declares(b, 'resources'), declares(c, 'resources'), declares(a, 'resources')]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});
