import fc from 'fast-check';
import type { Pinning } from '../../bundles/entries/pinning';
import { definitionDigest, digestedText } from '../protocol/definition-digest';
import type { StoredDefinition } from '../upstreams/upstream';
import { NO_OVERRIDE } from './tool-override';
import { heldDigests, NO_RULES, ruledDefinition, toolKey, type ToolRules } from './tool-rules';

const ENTRY = 'entry';
const body = (version: number) => ({ name: 'read', description: `Version ${version}.`, icons: [{ src: 'x' }] });
const digest = (version: number) => definitionDigest(body(version)).toString('hex');
const stored = (version: number): StoredDefinition => ({
  upstreamId: 'upstream',
  kind: 'tool',
  name: 'read',
  body: JSON.stringify(body(version)),
  digest: definitionDigest(body(version)),
});

/** What the bundle says after these versions were approved, one after the other. */
function rulesOf(pinning: Pinning, approved: readonly number[], known = approved): ToolRules {
  const latest = approved.at(-1);
  return {
    ...NO_RULES,
    pinnings: new Map([[ENTRY, pinning]]),
    approvals:
      latest === undefined
        ? new Map()
        : new Map([[toolKey(ENTRY, 'tool', 'read'), { all: new Set(approved.map(digest)), latest: digest(latest) }]]),
    bodies: new Map(known.map((version) => [digest(version), digestedText(body(version))])),
  };
}

describe('The rules about a tool', () => {
  it('let nothing be listed or called with APPROVE that nobody has approved', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 4 }), fc.nat(3), (approved, present) => {
        const ruled = ruledDefinition(rulesOf('APPROVE', approved), ENTRY, stored(present));
        if (approved.length === 0) expect(ruled).toEqual({ state: 'new' });
        else if (approved.includes(present))
          expect(ruled).toMatchObject({ state: 'listed', definition: body(present) });
        else {
          const { icons: _, ...shown } = body(approved.at(-1) ?? 0);
          expect(ruled).toMatchObject({ state: 'changed', definition: shown, shown });
        }
      }),
    );
  });

  it('let everything be listed and called without it', () => {
    for (const pinning of ['OFF', 'WARN'] as const)
      expect(ruledDefinition(rulesOf(pinning, [1]), ENTRY, stored(2))).toMatchObject({
        state: 'listed',
        definition: body(2),
      });
    expect(ruledDefinition(NO_RULES, ENTRY, stored(2)).state).toBe('listed');
  });

  it('hide a tool of which the approved definition is not known any more', () => {
    expect(ruledDefinition(rulesOf('APPROVE', [1], []), ENTRY, stored(2))).toEqual({ state: 'lost' });
  });

  it('hide a tool that an override hides, whatever is approved', () => {
    const override = { ...NO_OVERRIDE, isEnabled: false };
    const rules = { ...rulesOf('APPROVE', [1]), overrides: new Map([[toolKey(ENTRY, 'tool', 'read'), override]]) };
    expect(ruledDefinition(rules, ENTRY, stored(1))).toEqual({ state: 'disabled' });
  });

  it('are not about resources', () => {
    const resource = { ...stored(1), kind: 'resource' as const };
    expect(ruledDefinition(rulesOf('APPROVE', []), ENTRY, resource).state).toBe('listed');
  });

  it('name exactly the definitions that are listed in place of others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 4 }), fc.nat(3), (approved, present) => {
        const rules = rulesOf('APPROVE', approved);
        const held = heldDigests(rules, [{ id: ENTRY, upstreamId: 'upstream' }], [stored(present)]);
        const isHeld = approved.length > 0 && !approved.includes(present);
        expect(held).toEqual(isHeld ? [digest(approved.at(-1) ?? 0)] : []);
      }),
    );
  });
});
