import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { sign } from './signature';
import { cases } from '../../../test/support/random-cases';

const OLD = `whsec_${randomBytes(32).toString('base64')}`;
const NEW = `whsec_${randomBytes(64).toString('base64')}`;

/** As the reference library expects it; it accepts only timestamps within five minutes of now. */
function verify(secret: string, body: string, id: string, timestamp: number, signature: string): unknown {
  return new Webhook(secret).verify(body, {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
}

describe('A webhook signature', () => {
  it('equals the reference vector', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    const signed = (key: string) =>
      sign('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, Buffer.from('{"test": 2432232314}'), [key]);
    expect(signed(secret)).toBe(expected);
    expect(signed(secret.slice('whsec_'.length))).toBe(expected);
  });

  it('is verified by the reference library, whatever the body', () => {
    const now = Math.floor(Date.now() / 1_000);
    const text = fc.oneof(
      { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 2_000 }) },
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 2_000 }) },
      // Up to 256 kB: the random part stays short, or fast-check takes minutes.
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 256_000 }))
          .map(([part, length]) => part.repeat(Math.ceil(length / part.length)).slice(0, length)),
      },
    );
    let longest = 0;
    fc.assert(
      fc.property(text, fc.uuid(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (content, id, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const body = JSON.stringify({ type: 'bundle.created', data: { content } });
        longest = Math.max(longest, Buffer.byteLength(body));
        const signature = sign(id, now, Buffer.from(body), [secret]);
        expect(verify(secret, body, id, now, signature)).toEqual(JSON.parse(body));
        expect(() => verify(secret, `${body} `, id, now, signature)).toThrow();
        expect(() => verify(secret, body, `${id}0`, now, signature)).toThrow();
        expect(() => verify(secret, body, id, now + 1, signature)).toThrow();
        expect(() => verify(OLD, body, id, now, signature)).toThrow();
      }),
      { numRuns: cases(1_000), examples: [['€'.repeat(80_000), randomUUID(), randomBytes(32)]] },
    );
    expect(longest).toBeGreaterThan(200_000);
  });

  it('exists for every secret of a rotation, the newest first', () => {
    const now = Math.floor(Date.now() / 1_000);
    const signed = (secrets: string[]) => sign('e1', now, Buffer.from('{"a":"ä"}'), secrets);
    const both = signed([NEW, OLD]);
    expect(both).toBe(`${signed([NEW])} ${signed([OLD])}`);
    expect(both).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [NEW, OLD]) expect(verify(secret, '{"a":"ä"}', 'e1', now, both)).toEqual({ a: 'ä' });
    expect(() => verify(OLD, '{"a":"ä"}', 'e1', now, signed([NEW]))).toThrow();
  });
});
