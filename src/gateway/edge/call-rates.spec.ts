import { CALL_RATES, CallRates } from './call-rates';

describe('Calls through a bundle', () => {
  const drain = (rates: CallRates, principal: string, bundle: string, most: number) => {
    let count = 0;
    while (count < most && rates.take(principal, bundle) === undefined) count++;
    return count;
  };

  it('are 600 a minute for each principal and bundle', () => {
    const rates = new CallRates();
    expect(drain(rates, 'user a', 'x', 10_000)).toBeGreaterThanOrEqual(CALL_RATES.principal);
    expect(rates.take('user a', 'x')).toMatchObject({
      seconds: 1,
      policy: { name: 'mcp-calls', quota: 600, seconds: 60 },
    });
    expect(rates.take('user a', 'y')).toBeUndefined();
    expect(rates.take('user b', 'x')).toBeUndefined();
  });

  it('are 6,000 a minute for everyone together', () => {
    const rates = new CallRates();
    const all = Array.from({ length: 11 }, (_, index) => drain(rates, `user ${index}`, 'x', 600));
    expect(all.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 600));
    expect(all[10]).toBeLessThan(600);
    expect(rates.take('user new', 'x')?.policy.name).toBe('mcp-bundle-calls');
  });

  it('are shared by processes', () => {
    const rates = new CallRates();
    rates.shareAmong(() => 4);
    const count = drain(rates, 'user a', 'x', 10_000);
    expect(count >= 150 && count < 200).toBe(true);
  });
});
