import { CALL_RATES, CallRates } from './call-rates';

describe('Calls through a bundle', () => {
  const drain = (rates: CallRates, principal: string, bundle: string, most: number) => {
    let count = 0;
    while (count < most && rates.take(principal, bundle) === undefined) count++;
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
    expect(drain(rates, 'user a', 'x', 10_000)).toBe(CALL_RATES.principal);
    expect(rates.take('user a', 'x')).toMatchObject({
      seconds: 1,
      policy: { name: 'mcp-calls', quota: 600, seconds: 60 },
    });
    expect(rates.take('user a', 'y')).toBeUndefined();
    expect(rates.take('user b', 'x')).toBeUndefined();
  });

  it('are 6,000 a minute for everyone together', () => {
    const rates = standing();
    const all = Array.from({ length: 11 }, (_, index) => drain(rates, `user ${index}`, 'x', 600));
    expect(all).toEqual([...Array.from({ length: 10 }, () => 600), 0]);
    expect(rates.take('user new', 'x')?.policy.name).toBe('mcp-bundle-calls');
  });

  it('are shared by processes', () => {
    const rates = standing();
    rates.shareAmong(() => 4);
    expect(drain(rates, 'user a', 'x', 10_000)).toBe(150);
  });

  it('come back with time', () => {
    let now = 0;
    const rates = new CallRates();
    rates.measureBy(() => performance.timeOrigin + now);
    expect(drain(rates, 'user a', 'x', 10_000)).toBe(600);
    now += 1_000;
    expect(drain(rates, 'user a', 'x', 10_000)).toBe(10);
  });
});
