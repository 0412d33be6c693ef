import { CallLimits } from './call-limits';
import { UpstreamFailure } from '../protocol/upstream-failure';

describe('The limits of calls at once', () => {
  const limits = { callsOfPrincipal: 2, callsOfBundle: 3, callsOfUpstream: 100 };

  const entering = (calls: CallLimits) => (principal: string, upstreamId: string, bundleId: string) => () =>
    calls.enter({ principal, upstreamId, bundleId });

  it('count by principal, and by bundle and upstream, and begin again where calls have ended', () => {
    const enter = entering(new CallLimits(limits));
    const leave = enter('ada', 'one', 'ours')();
    enter('ada', 'two', 'ours')();
    expect(enter('ada', 'three', 'ours')).toThrow('You have 2 calls under way');
    enter('bob', 'one', 'ours')();
    enter('cyd', 'one', 'ours')();
    expect(enter('dan', 'one', 'ours')).toThrow('It has 3 calls of this bundle under way');
    leave();
    expect(enter('ada', 'one', 'ours')).not.toThrow();
    expect(enter('dan', 'one', 'ours')).toThrow(UpstreamFailure);
  });

  it('count nothing where a call was refused', () => {
    const enter = entering(new CallLimits(limits));
    const leaves = [enter('ada', 'one', 'ours')(), enter('ada', 'one', 'ours')()];
    for (let n = 0; n < 10; n++) expect(enter('ada', 'one', 'ours')).toThrow();
    leaves.forEach((leave) => leave());
    enter('ada', 'one', 'ours')();
    enter('ada', 'one', 'ours')();
  });

  it('leave room for other bundles, whatever one of them does', () => {
    const enter = entering(new CallLimits(limits));
    for (const principal of ['ada', 'bob', 'cyd']) enter(principal, 'one', 'theirs')();
    expect(enter('dan', 'one', 'theirs')).toThrow('of this bundle');
    expect(enter('dan', 'one', 'ours')).not.toThrow();
  });

  it('give a bundle no more of what all have at one upstream than is still free there', () => {
    const calls = new CallLimits({ callsOfPrincipal: 100, callsOfBundle: 50, callsOfUpstream: 200 });
    const got = Array.from({ length: 12 }, (_, bundle) => {
      for (let count = 0; ; count++) {
        try {
          calls.enter({ principal: `${bundle} ${count}`, upstreamId: 'one', bundleId: `bundle ${bundle}` });
        } catch (error) {
          expect(error).toMatchObject({ code: 'rate_limited', mayHaveRun: false });
          return count;
        }
      }
    });
    expect(got).toEqual([50, 50, 50, 25, 13, 6, 3, 2, 1, 0, 0, 0]);
    expect(() => calls.enter({ principal: 'ada', upstreamId: 'two', bundleId: 'bundle 0' })).not.toThrow();
  });
});
