import { templatesSize } from './template-size';

describe('The size of templates', () => {
  it('is in bytes, as the limit is', () => {
    expect(templatesSize([['e'.repeat(200_000)]])).toBeGreaterThan(200_000);
    expect(templatesSize([['é'.repeat(100_000)]])).toBeGreaterThan(200_000);
    expect(templatesSize([['é'.repeat(200_000)]])).toBeUndefined();
  });
});
