import { Clock } from '../../config/clock';
import { Secrets } from '../../config/secrets';
import { type LegacySession, SealedSessions } from './sealed-session';

const DAY_MS = 24 * 3_600_000;

class SetClock extends Clock {
  time = Date.parse('2026-11-23T12:00:00Z');

  override now(): Date {
    return new Date(this.time);
  }
}

describe('The session of a client with a handshake', () => {
  const clock = new SetClock();
  const [former, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const sessions = new SealedSessions(new Secrets(former), clock);
  const session: LegacySession = {
    revision: '2025-11-25',
    capabilities: { elicitation: {}, roots: { listChanged: true } },
    client: { name: 'Example 世', version: '1' },
    principal: 'user 019a9f64-59cb-7615-8c3e-20b6d1f79ea8',
    path: '/mcp/bundles/019a9f64-59cb-7615-8c3e-20b6d1f79ea9',
  };
  const begin = (): string => sessions.begin(session) ?? '';

  it('is in its id, which only this service can read and write', () => {
    const id = begin();
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('Example');
    expect(sessions.read(id, session.principal, session.path)).toEqual(session);
    expect(begin()).not.toBe(id);
  });

  it('opens for nobody else, and nowhere else', () => {
    const id = begin();
    expect(sessions.read(id, 'user other', session.path)).toBeUndefined();
    expect(sessions.read(id, session.principal, '/mcp/bundles/other')).toBeUndefined();
    // The parts of the context cannot be moved.
    expect(sessions.read(id, `${session.principal} at ${session.path}`, '')).toBeUndefined();
  });

  it('ends after a day', () => {
    const id = begin();
    clock.time += DAY_MS - 1;
    expect(sessions.read(id, session.principal, session.path)).toEqual(session);
    clock.time += 1;
    expect(sessions.read(id, session.principal, session.path)).toBeUndefined();
  });

  it('stays while SECRETS_KEY changes', () => {
    const id = begin();
    const changed = new SealedSessions(new Secrets(next, [former]), clock);
    expect(changed.read(id, session.principal, session.path)).toEqual(session);
    expect(new SealedSessions(new Secrets(next), clock).read(id, session.principal, session.path)).toBeUndefined();
  });

  it('is none of ours if one character differs, and whatever else a client sends', () => {
    const id = begin();
    const last = id.endsWith('A') ? 'B' : 'A';
    const changed = [...Array(id.length).keys()].map(
      (at) => `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`,
    );
    for (const text of [
      '',
      'x',
      '../..',
      'é',
      'A'.repeat(60),
      'A'.repeat(20_000),
      `${id.slice(0, -1)}${last}=`,
      // The last one, too: some of its bits mean nothing when it is decoded.
      ...changed,
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
        .split('')
        .filter((character) => character !== id.at(-1))
        .map((character) => `${id.slice(0, -1)}${character}`),
    ])
      expect(sessions.read(text, session.principal, session.path)).toBeUndefined();
  });

  it('is refused if the client declares more than a header can hold', () => {
    expect(sessions.begin({ ...session, capabilities: { experimental: { x: 'x'.repeat(5_000) } } })).toBeUndefined();
  });
});
