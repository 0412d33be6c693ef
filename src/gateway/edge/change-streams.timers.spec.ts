import { Logger } from '@nestjs/common';
import { Clock } from '../../config/clock';
import type { BundleCompiler } from '../compile/bundle-compiler';
import { BARE_CLIENT, type CompiledBundle, type KeyedTarget } from '../compile/compiled-bundle';
import type { Admission, Admissions, AdmissionQuery } from './admission';
import { ChangeStreams, STREAM_LIMITS, SURE_MS, type StreamHandle } from './change-streams';

const LOOK_MS = 1_000;

class SetClock extends Clock {
  time = Date.parse('2026-11-23T12:00:00Z');

  override now(): Date {
    return new Date(this.time);
  }
}

const bundleOf = (tools: string) =>
  ({ client: BARE_CLIENT, entries: [], digests: { tools, prompts: '', resources: '' } }) as unknown as CompiledBundle;

describe('What a server says to an open stream', () => {
  const clock = new SetClock();
  let key: string;
  let admits: () => Promise<Admission | undefined>;
  let compiles: (target: KeyedTarget) => Promise<CompiledBundle>;
  let streams: ChangeStreams;
  let stream: StreamHandle;
  /** What reaches the client, in its order. */
  let seen: string[];

  const admission = (expiresAt = Infinity): Admission => ({
    target: { key } as KeyedTarget,
    principal: 'user a',
    scopes: new Set(['read']),
    record: { mode: 'BUFFERED', arguments: 'NONE' },
    expiresAt,
  });
  const away = () => Promise.reject(new Error('The database is away.'));
  const say = (uri: string, text = uri) => stream.pass(uri, () => seen.push(text));
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    jest.useFakeTimers();
    key = '1';
    seen = [];
    admits = () => Promise.resolve(admission());
    compiles = () => Promise.resolve(bundleOf('1'));
    const admissions: Pick<Admissions, 'again'> = { again: (asks) => Promise.all(asks.map(() => admits())) };
    const compiler: Pick<BundleCompiler, 'compile' | 'noteUse'> = {
      compile: (target) => compiles(target),
      noteUse: () => undefined,
    };
    streams = new ChangeStreams(admissions as Admissions, compiler as BundleCompiler, clock);
    open();
  });

  afterEach(() => {
    streams.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  function open(expiresAt?: number): void {
    stream = streams.open({} as AdmissionQuery, admission(expiresAt), bundleOf('1'), {
      changed: (kind) => seen.push(`changed ${kind}`),
      moved: () => seen.push('moved'),
      end: () => seen.push('end'),
    });
  }

  it('passes at once as long as it is known that they may listen', async () => {
    for (let second = 0; second < 10; second++) {
      await pass(LOOK_MS);
      say(`x://${second}`);
      expect(seen).toHaveLength(second + 1);
    }
  });

  it('waits when that was last known more than five seconds ago, until it is known again', async () => {
    await pass(LOOK_MS);
    admits = away;
    await pass(SURE_MS);
    say('x://1');
    expect(seen).toEqual(['x://1']);
    await pass(LOOK_MS);
    say('x://1', 'the former');
    say('x://2');
    say('x://1', 'the latter');
    await pass(60_000);
    expect(seen).toEqual(['x://1']);
    admits = () => Promise.resolve(admission());
    await pass(LOOK_MS);
    expect(seen).toEqual(['x://1', 'the latter', 'x://2']);
    await pass(LOOK_MS);
    expect(seen).toHaveLength(3);
  });

  it('never comes if they may not listen any more', async () => {
    admits = away;
    await pass(SURE_MS + LOOK_MS);
    say('x://1');
    admits = () => Promise.resolve(undefined);
    await pass(LOOK_MS);
    say('x://2');
    await pass(LOOK_MS);
    expect(seen).toEqual(['end']);
  });

  it('waits until the bundle is compiled, from which its server may have gone', async () => {
    let compiled: (bundle: CompiledBundle) => void = () => undefined;
    compiles = () => new Promise((resolve) => (compiled = resolve));
    key = '2';
    await pass(SURE_MS + LOOK_MS);
    say('x://1');
    expect(seen).toEqual([]);
    compiled(bundleOf('2'));
    await pass(LOOK_MS);
    expect(seen).toEqual(['moved', 'changed tools', 'x://1']);
  });

  it('is one of so many of a person, with whatever tokens, and the last ones are for those who have none', () => {
    stream.close();
    const listen = (n: number, token = 0) =>
      streams.open(
        {} as AdmissionQuery,
        { ...admission(), principal: `token ${n} ${token}`, behind: [`user ${n}`] },
        bundleOf('1'),
        { changed: () => undefined, moved: () => undefined, end: () => undefined },
      );
    const refusal = (fields: object) => expect.objectContaining(fields) as Error;
    const { process, owner, principal, reserve } = STREAM_LIMITS;
    for (let n = 0; n < principal; n++) listen(0);
    expect(() => listen(0)).toThrow(refusal({ kind: 'rateLimited', retryAfter: 10 }));
    for (let n = principal; n < owner; n++) listen(0, 1);
    expect(() => listen(0, 2)).toThrow(refusal({ kind: 'rateLimited', retryAfter: 10 }));
    for (let n = owner; n < process - reserve; n++) listen(1 + (n % 20), Math.floor(n / 20) % 5);
    expect(() => listen(1, 9)).toThrow(refusal({ kind: 'unavailable', retryAfter: 10 }));
    const last = Array.from({ length: reserve }, (_, n) => listen(100 + n));
    expect(() => listen(999)).toThrow(refusal({ kind: 'unavailable', retryAfter: 10 }));
    last[0]?.close();
    last[0]?.close();
    listen(999);
    expect(() => listen(998)).toThrow(refusal({ kind: 'unavailable' }));
  });

  it('ends with the credential, although the database is away', async () => {
    stream.close();
    open(clock.time + 2_000);
    admits = away;
    await pass(LOOK_MS);
    expect(seen).toEqual([]);
    clock.time += 2_000;
    await pass(LOOK_MS);
    expect(seen).toEqual(['end']);
  });
});
