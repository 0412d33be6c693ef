import { RateLimitedError } from './errors';

describe('An error for a caller who sends too much', () => {
  it('collects no stack, and leaves that of later errors alone', () => {
    const refused = new RateLimitedError('Try again in 3 s.', 3, { name: 'principal', quota: 5 });
    expect(refused.stack).not.toContain('\n');
    expect(refused).toMatchObject({ name: 'RateLimitedError', code: 'rate_limited', retryAfter: 3 });
    expect(new Error('Later.').stack).toContain('errors.spec.ts');
  });
});
