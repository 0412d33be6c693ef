import fc from 'fast-check';
import { entryKey } from './entry-key';

const key = (name: string, ...taken: string[]) => entryKey(name, new Set(taken));

describe('The key of a bundle entry', () => {
  it('is the last part of the listing’s name', () => {
    expect(key('io.github.acme/weather')).toBe('weather');
    expect(key('io.github.acme/Weather_Service.v2')).toBe('weather-service-v2');
  });

  it('is prefixed with the publisher if that part is too generic or taken', () => {
    expect(key('com.stripe/mcp')).toBe('stripe-mcp');
    expect(key('io.github.acme/server')).toBe('acme-server');
    expect(key('io.github.acme/weather', 'weather')).toBe('acme-weather');
    expect(key('com.notion/notion-mcp', 'notion-mcp')).toBe('notion-mcp-2');
  });

  it('gets a number as suffix if everything else is taken', () => {
    expect(key('io.github.acme/weather', 'weather', 'acme-weather')).toBe('acme-weather-2');
    expect(key('io.github.acme/weather', 'weather', 'acme-weather', 'acme-weather-2')).toBe('acme-weather-3');
  });

  it('has a fallback for a name without any usable character', () => {
    expect(key('工具/工具')).toBe('server');
    expect(key('工具')).toBe('server');
  });

  it('is always unique and valid for clients', () => {
    const names = fc.oneof(
      fc.string({ maxLength: 220 }),
      fc.constantFrom('a.b/mcp', 'a-b/mcp', 'a/b', 'x.a/b', 'a/b_b', 'a/b.b'),
    );
    fc.assert(
      fc.property(fc.array(names, { maxLength: 30 }), (listings) => {
        const taken = new Set<string>();
        for (const listing of listings) {
          const newKey = entryKey(listing, taken);
          expect(newKey).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(newKey.length).toBeLessThanOrEqual(64);
          expect(taken.has(newKey)).toBe(false);
          taken.add(newKey);
        }
      }),
    );
  });
});
