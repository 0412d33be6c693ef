import { Clock } from '../../config/clock';
import { Secrets } from '../../config/secrets';
import { MAX_STATE_BYTES, RequestStates, type RequestStateScope } from './request-states';

class SetClock extends Clock {
  time = Date.parse('2026-11-23T12:00:00Z');

  override now(): Date {
    return new Date(this.time);
  }
}

describe('The state of a request that a server has asked something about', () => {
  const clock = new SetClock();
  const [former, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const states = new RequestStates(new Secrets(former), clock);
  const place: RequestStateScope = {
    principal: 'user a',
    path: '/mcp/bundles/b',
    entryId: 'e',
    upstreamId: 'u',
    method: 'tools/call',
    name: 'a__b',
  };
  const sealed = (state = 'state-1'): string => states.seal(state, place) ?? '';

  it.each(['', 'state-1', '{"a":"世"}', 'a\u0000b', '\ud800', ' ='])('comes back exactly as it was: %j', (state) => {
    const text = sealed(state);
    expect(text).toMatch(/^[\w-]+$/);
    expect(states.open(text, place)).toBe(state);
  });

  it('is not readable', () => {
    expect(Buffer.from(sealed('who am I'), 'base64url').toString('latin1')).not.toContain('who');
    expect(sealed()).not.toBe(sealed());
  });

  it.each([
    { principal: 'user b' },
    { path: '/mcp/bundles/c' },
    { entryId: 'f' },
    { upstreamId: 'v' },
    { method: 'prompts/get' },
    { name: 'a__c' },
    // The parts cannot be moved.
    { method: 'tools/call","a__b', name: '' },
  ])('opens for no other request: %j', (other) => {
    expect(states.open(sealed(), { ...place, ...other })).toBeUndefined();
  });

  it('opens for ten minutes', () => {
    const text = sealed();
    clock.time += 10 * 60_000 - 1;
    expect(states.open(text, place)).toBe('state-1');
    clock.time += 1;
    expect(states.open(text, place)).toBeUndefined();
  });

  it('stays while SECRETS_KEY changes', () => {
    expect(new RequestStates(new Secrets(next, [former]), clock).open(sealed(), place)).toBe('state-1');
    expect(new RequestStates(new Secrets(next), clock).open(sealed(), place)).toBeUndefined();
  });

  it('is none of ours if one character differs, and whatever else a client sends', () => {
    const text = sealed();
    const changed = [...text].map(
      (character, at) => text.slice(0, at) + (character === 'x' ? 'y' : 'x') + text.slice(at + 1),
    );
    for (const other of [
      ...changed,
      `${text}=`,
      `${text}-TAMPERED`,
      ` ${text}`,
      'state-1',
      '',
      null,
      7,
      [text],
      { text },
    ])
      expect(states.open(other, place)).toBeUndefined();
  });

  it('is refused if it is too long to come back', () => {
    expect(states.open(sealed('x'.repeat(MAX_STATE_BYTES)), place)).toHaveLength(MAX_STATE_BYTES);
    expect(states.seal('x'.repeat(MAX_STATE_BYTES + 1), place)).toBeUndefined();
    expect(states.seal('世'.repeat(MAX_STATE_BYTES / 2), place)).toBeUndefined();
  });
});
