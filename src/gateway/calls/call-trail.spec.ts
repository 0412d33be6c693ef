import { RpcFailure } from '../protocol/json-rpc';
import type { CallVerdict } from '../settings/call-outcome';
import { type BegunCall, type CallSink, CallTrail } from './call-trail';
import type { CallRow } from './call-writes.sql';

const BEGUN = { bundle_id: 'b', method: 'tools/call' } as BegunCall;
const TARGET = { entryId: 'e', name: 'echo', exposedName: 'x__echo', digest: null };
const OK = { result: {} };

function stage(isStrict: boolean) {
  const [added, written, ended]: [CallRow[], CallRow[], CallVerdict[]] = [[], [], []];
  const write = jest.fn((row: CallRow): Promise<void> => Promise.resolve(void written.push(row)));
  const sink: CallSink = {
    isStrict,
    add: (row) => void added.push(row),
    write,
    refusal: () => new RpcFailure(503, 503, 'Not recorded.'),
    ended: (verdict) => void ended.push(verdict),
  };
  return { trail: new CallTrail(BEGUN, sink), added, written, ended, write };
}

const never = new AbortController().signal;

describe('The trail of a call', () => {
  it('writes nothing before its end with BUFFERED', async () => {
    const { trail, added, written } = stage(false);
    await trail.follow(never, async () => {
      trail.aim(TARGET);
      await trail.begin();
      return trail.asked(Promise.resolve(OK));
    });
    expect([added, written]).toEqual([[], []]);
    trail.end(17);
    expect(added).toMatchObject([
      { outcome: 'OK', entry_id: 'e', name: 'echo', exposed_name: 'x__echo', bytes_out: 17 },
    ]);
  });

  it('writes ahead with STRICT, once, and completes the same row', async () => {
    const { trail, added, written } = stage(true);
    await trail.follow(never, async () => {
      trail.aim(TARGET);
      await trail.begin();
      expect(written).toMatchObject([{ outcome: 'STARTED', name: 'echo', duration_us: null, bytes_out: null }]);
      await trail.begin();
      return OK;
    });
    trail.end(1);
    expect(written).toHaveLength(1);
    expect(added).toMatchObject([{ id: written[0]?.id, outcome: 'OK', bytes_out: 1 }]);
  });

  it('writes a refusal ahead of its answer with STRICT, and answers even if that fails', async () => {
    for (const fails of [false, true]) {
      const { trail, added, written, write } = stage(true);
      if (fails) write.mockRejectedValue(new Error('away'));
      const refused = new RpcFailure(200, -32_602, 'Unknown tool');
      await expect(trail.follow(never, () => Promise.reject(refused))).rejects.toBe(refused);
      expect(written).toMatchObject(fails ? [] : [{ outcome: 'DENIED', error_code: '-32602', bytes_out: null }]);
      trail.end(0);
      expect(added).toMatchObject([{ outcome: 'DENIED', error_code: '-32602' }]);
    }
  });

  it('refuses a call that cannot be written ahead, and tries that once', async () => {
    const { trail, added, write, ended } = stage(true);
    write.mockRejectedValue(new Error('away'));
    const work = async () => {
      trail.aim(TARGET);
      await trail.begin();
      return OK;
    };
    await expect(trail.follow(never, work)).rejects.toMatchObject({ status: 503 });
    trail.end(0);
    expect(write).toHaveBeenCalledTimes(1);
    expect(added).toMatchObject([{ outcome: 'DENIED', error_code: 'not_recorded', upstream_us: null }]);
    expect(ended).toEqual([{ outcome: 'DENIED', errorCode: 'not_recorded' }]);
  });

  it('says why a server failed, whatever the client is told, and that a call was cancelled before all', async () => {
    const { trail, added } = stage(false);
    await trail.follow(never, () => {
      trail.aim(TARGET);
      trail.failed('credential_required');
      return Promise.resolve({ result: { resultType: 'input_required' } });
    });
    trail.end(0);
    expect(added).toMatchObject([{ outcome: 'CREDENTIAL_REQUIRED', error_code: 'credential_required' }]);
    const other = stage(false);
    await other.trail.follow(AbortSignal.abort(), () => {
      other.trail.failed('upstream_timeout');
      return Promise.resolve(undefined);
    });
    other.trail.end(0);
    expect(other.added).toMatchObject([{ outcome: 'CANCELLED', error_code: null }]);
  });

  it('makes no row of what this service answers itself', async () => {
    for (const isStrict of [false, true]) {
      const { trail, added, written, ended } = stage(isStrict);
      await trail.follow(never, () => {
        trail.aimAtNothing('find_tools');
        return Promise.resolve(OK);
      });
      trail.end(9);
      expect([added, written, ended]).toEqual([[], [], []]);
    }
  });

  it('counts the last of several targets, and all times that a server was asked', async () => {
    const { trail, added } = stage(false);
    await trail.follow(never, async () => {
      trail.aim({ ...TARGET, exposedName: 'call_tool' });
      trail.aim(TARGET);
      for (let n = 0; n < 2; n++) await trail.asked(new Promise((resolve) => setImmediate(resolve)));
      return OK;
    });
    trail.end(0);
    expect(added).toMatchObject([{ exposed_name: 'x__echo' }]);
    expect(added[0]?.upstream_us).toBeGreaterThan(0);
    expect(added[0]?.duration_us).toBeGreaterThanOrEqual(added[0]?.upstream_us ?? 0);
  });
});
