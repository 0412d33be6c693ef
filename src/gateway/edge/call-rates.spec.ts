import type { Holder } from '../upstreams/shares';
import { CALL_RATES, CallRates } from './call-rates';

describe('Calls through a bundle', () => {
  const drain = (rates: CallRates, holder: Holder, bundle: string, most: number) => {
    let count = 0;
    while (count < most && rates.take(holder, bundle) === undefined) count++;
    return count;
  };

  /** Their clock stands still. */
  const standing = () => {
    const rates = new CallRates();
    rates.measureBy(() => performance.timeOrigin);
    return rates;
  };

  it('are 600 a minute for each principal and bundle', () => {
    const rates = standing();
    expect(drain(rates, { principal: 'user a' }, 'x', 10_000)).toBe(CALL_RATES.principal);
    expect(rates.take({ principal: 'user a' }, 'x')).toMatchObject({
      seconds: 1,
      policy: { name: 'mcp-calls', quota: 600, seconds: 60 },
    });
    expect(rates.take({ principal: 'user a' }, 'y')).toBeUndefined();
    expect(rates.take({ principal: 'user b' }, 'x')).toBeUndefined();
  });

  it('are 6,000 a minute for everyone together', () => {
    const rates = standing();
    const all = Array.from({ length: 11 }, (_, index) => drain(rates, { principal: `user ${index}` }, 'x', 600));
    expect(all).toEqual([...Array.from({ length: 10 }, () => 600), 0]);
    expect(rates.take({ principal: 'user new' }, 'x')?.policy.name).toBe('mcp-bundle-calls');
  });

  it('are 4,800 a minute for all access tokens of one person', () => {
    const rates = standing();
    const tokenOf = (person: string, token: number) => ({ principal: `token ${person} ${token}`, behind: [person] });
    const all = Array.from({ length: 10 }, (_, token) => drain(rates, tokenOf('user a', token), 'x', 600));
    expect(all).toEqual([...Array.from({ length: 8 }, () => 600), 0, 0]);
    expect(rates.take(tokenOf('user a', 10), 'x')?.policy).toMatchObject({ name: 'mcp-person-calls', quota: 4_800 });
    expect(drain(rates, { principal: 'user a', behind: ['user a'] }, 'x', 10_000)).toBe(600);
    expect(drain(rates, tokenOf('user b', 0), 'x', 10_000)).toBe(600);
    expect(rates.take(tokenOf('user a', 10), 'y')).toBeUndefined();
  });

  it('are shared by processes', () => {
    const rates = standing();
    rates.shareAmong(() => 4);
    expect(drain(rates, { principal: 'user a' }, 'x', 10_000)).toBe(150);
  });

  it('come back with time', () => {
    let now = 0;
    const rates = new CallRates();
    rates.measureBy(() => performance.timeOrigin + now);
    expect(drain(rates, { principal: 'user a' }, 'x', 10_000)).toBe(600);
    now += 1_000;
    expect(drain(rates, { principal: 'user a' }, 'x', 10_000)).toBe(10);
  });
});
