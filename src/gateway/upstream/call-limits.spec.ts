import { CallLimits } from './call-limits';
import { UpstreamFailure } from './upstream-failure';

describe('The limits of calls at once', () => {
  const limits = { callsOfPrincipal: 2, callsOfUpstream: 3 };

  it('count by principal and by upstream, and begin again where calls have ended', () => {
    const calls = new CallLimits(limits);
    const leave = calls.enter('ada', 'one');
    calls.enter('ada', 'two');
    expect(() => calls.enter('ada', 'three')).toThrow('You have 2 calls under way');
    calls.enter('bob', 'one');
    calls.enter('cyd', 'one');
    expect(() => calls.enter('dan', 'one')).toThrow('It has 3 calls under way');
    leave();
    expect(() => calls.enter('ada', 'one')).not.toThrow();
    expect(() => calls.enter('dan', 'one')).toThrow(UpstreamFailure);
  });

  it('count nothing where a call was refused', () => {
    const calls = new CallLimits(limits);
    const leaves = [calls.enter('ada', 'one'), calls.enter('ada', 'one')];
    for (let n = 0; n < 10; n++) expect(() => calls.enter('ada', 'one')).toThrow();
    leaves.forEach((leave) => leave());
    calls.enter('ada', 'one');
    calls.enter('ada', 'one');
  });
});
