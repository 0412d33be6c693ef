import { Clock } from '../../config/clock';
import { Secrets } from '../../config/secrets';
import { UpstreamRequestIds } from './upstream-request-ids';

class SetClock extends Clock {
  time = Date.parse('2026-11-23T12:00:00Z');

  override now(): Date {
    return new Date(this.time);
  }
}

describe('The id of a request of a server', () => {
  const clock = new SetClock();
  const requests = new UpstreamRequestIds(new Secrets(Buffer.alloc(32, 1)), clock);
  const asked = { principal: 'user a', path: '/mcp/bundles/b' };
  const session = { upstreamId: 'u', entryId: 'e', capabilities: 'c' };

  it.each(['x', 7, 0, 'a"b\n'])('says where the answer belongs: %j', (id) => {
    const sealed = requests.seal({ session, id }, asked);
    expect(sealed).toMatch(/^ty-[\w-]+$/);
    expect(requests.open(sealed, asked)).toEqual({ session, id });
  });

  it('opens for nobody else, nowhere else, and not for ever', () => {
    const sealed = requests.seal({ session, id: 1 }, asked);
    expect(requests.open(sealed, { ...asked, principal: 'user b' })).toBeUndefined();
    expect(requests.open(sealed, { ...asked, path: '/mcp/bundles/c' })).toBeUndefined();
    clock.time += 15 * 60_000;
    expect(requests.open(sealed, asked)).toBeUndefined();
  });

  it.each([1, 'x', 'ty-', 'ty-x', `ty-${'A'.repeat(60)}`, `ty-${'A'.repeat(9_000)}`])('is none of ours: %j', (id) => {
    expect(requests.open(id, asked)).toBeUndefined();
  });
});
