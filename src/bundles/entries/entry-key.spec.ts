import fc from 'fast-check';
import { entryKey } from './entry-key';

const key = (name: string, ...taken: string[]) => entryKey(name, new Set(taken));

describe('The key of an entry', () => {
  it('is the last part of the name of its listing', () => {
    expect(key('io.github.acme/weather')).toBe('weather');
    expect(key('io.github.acme/Weather_Service.v2')).toBe('weather-service-v2');
  });

  it('has the publisher before it where that alone says too little, or is taken', () => {
    expect(key('com.stripe/mcp')).toBe('stripe-mcp');
    expect(key('io.github.acme/server')).toBe('acme-server');
    expect(key('io.github.acme/weather', 'weather')).toBe('acme-weather');
    expect(key('com.notion/notion-mcp', 'notion-mcp')).toBe('notion-mcp-2');
  });

  it('has a number behind it where all that is taken', () => {
    expect(key('io.github.acme/weather', 'weather', 'acme-weather')).toBe('acme-weather-2');
    expect(key('io.github.acme/weather', 'weather', 'acme-weather', 'acme-weather-2')).toBe('acme-weather-3');
  });

  it('is there even for a name of which nothing can be kept', () => {
    expect(key('工具/工具')).toBe('server');
    expect(key('工具')).toBe('server');
  });

  it('is always free, and what clients take for a name', () => {
    const names = fc.oneof(
      fc.string({ maxLength: 220 }),
      fc.constantFrom('a.b/mcp', 'a-b/mcp', 'a/b', 'x.a/b', 'a/b_b', 'a/b.b'),
    );
    fc.assert(
      fc.property(fc.array(names, { maxLength: 30 }), (listings) => {
        const taken = new Set<string>();
        for (const listing of listings) {
          const made = entryKey(listing, taken);
          expect(made).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(made.length).toBeLessThanOrEqual(64);
          expect(taken.has(made)).toBe(false);
          taken.add(made);
        }
      }),
    );
  });
});
