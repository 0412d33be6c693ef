import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sealText, tryUnsealText, unsealText } from './sealed-text';
import { Secrets } from './secrets';

const [OLD, NEW, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

/** The replicas of a change of SECRETS_KEY, step by step; two neighbours run at the same time. */
const STEPS = [new Secrets(OLD), new Secrets(OLD, [NEW]), new Secrets(NEW, [OLD]), new Secrets(NEW)];
const NEIGHBOURS = [0, 1, 2].flatMap((step) => [
  { from: step, to: step + 1 },
  { from: step + 1, to: step },
]);

describe('While SECRETS_KEY changes', () => {
  const keys = STEPS.map((secrets) => secrets.derive('test'));
  const ring = (step: number) => keys[step] ?? new Secrets(OTHER).derive('test');

  it.each(NEIGHBOURS)('a replica in step $to reads what one in step $from seals and signs', ({ from, to }) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        expect(unsealText(ring(to), context, sealText(ring(from), context, text))).toBe(text);
        const mac = ring(from).mac(text);
        expect(ring(to).isMac(mac, text)).toBe(true);
        expect(ring(to).isMac(mac.subarray(0, 12), text)).toBe(true);
        expect(
          ring(to)
            .macs(text)
            .some((one) => one.equals(mac)),
        ).toBe(true);
      }),
    );
  });

  it('the format is that of the release before', () => {
    const sealed = sealText(ring(1), 'context', 'text');
    expect(sealed).toHaveLength(12 + 16 + 'text'.length);
    expect(unsealText(ring(0), 'context', sealed)).toBe('text');
  });

  it('a value says which key sealed it', () => {
    expect(tryUnsealText(ring(2), 'a', sealText(ring(2), 'a', 'x'))).toEqual({ text: 'x', keyIndex: 0 });
    expect(tryUnsealText(ring(2), 'a', sealText(ring(0), 'a', 'x'))).toEqual({ text: 'x', keyIndex: 1 });
    expect(tryUnsealText(ring(3), 'a', sealText(ring(0), 'a', 'x'))).toBeUndefined();
  });

  it('a key that is listed twice counts once', () => {
    expect(new Secrets(NEW, [OLD, NEW, OLD]).ids).toEqual(STEPS[2]?.ids);
  });
});

describe('A keyring', () => {
  const keys = new Secrets(OLD, [NEW]).derive('one');

  it('is another one for each purpose', () => {
    const other = new Secrets(OLD, [NEW]).derive('other');
    expect(other.isMac(keys.mac('x'), 'x')).toBe(false);
    expect(tryUnsealText(other, '', sealText(keys, '', 'x'))).toBeUndefined();
  });

  it('accepts no empty, short, long or foreign MAC', () => {
    const mac = keys.mac('x');
    const foreign = new Secrets(OTHER).derive('one').mac('x');
    for (const bytes of [Buffer.alloc(0), mac.subarray(0, 11), Buffer.concat([mac, mac]), foreign, randomBytes(32)])
      expect(keys.isMac(bytes, 'x')).toBe(false);
    expect(keys.isMac(mac, 'y')).toBe(false);
  });

  it('opens nothing that is too short or was changed', () => {
    const sealed = sealText(keys, 'context', 'text');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => unsealText(keys, 'context', changed)).toThrow(/cannot be authenticated/);
      expect(() => unsealText(keys, 'context', sealed.subarray(0, index))).toThrow(/cannot be authenticated/);
    }
  });
});

describe('The ids of keys', () => {
  it('are short, differ, and are the same everywhere', () => {
    const { ids } = new Secrets(OLD, [NEW]);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/)]);
    expect(new Secrets(NEW, [OLD]).ids).toEqual([...ids].reverse());
  });
});
