import { defineErrors, NotFoundError, RateLimitedError, requireFound } from './errors';

describe('An error for a caller who sends too much', () => {
  it('collects no stack, and leaves that of later errors alone', () => {
    const refused = new RateLimitedError('Try again in 3 s.', 3, { name: 'principal', quota: 5 });
    expect(refused.stack).not.toContain('\n');
    expect(refused).toMatchObject({ name: 'RateLimitedError', code: 'rate_limited', retryAfter: 3 });
    expect(new Error('Later.').stack).toContain('errors.spec.ts');
  });
});

describe('A row that was looked up', () => {
  const { ShelfNotFound } = defineErrors({
    ShelfNotFound: { code: 'shelf_not_found', kind: 'notFound', noun: 'Shelf' },
  });

  it('is the same row, even with nothing in it', () => {
    const row = {};
    expect(requireFound(row, ShelfNotFound, 7)).toBe(row);
  });

  it.each([undefined, null])('is an error that names its kind and id if it is %s', (row) => {
    const require = () => requireFound(row, ShelfNotFound, 7);
    expect(require).toThrow(NotFoundError);
    expect(require).toThrow('Shelf 7 was not found.');
  });
});
