import fc from 'fast-check';
import { jsonInTurns } from './json-in-turns';

describe('jsonInTurns', () => {
  const value = fc.jsonValue({ maxDepth: 2 });

  it('writes the same as JSON.stringify', async () => {
    const list = fc.oneof(
      fc.array(value, { maxLength: 5 }),
      fc.integer({ min: 900, max: 2_500 }).map((length) => Array.from({ length }, (_, n) => ({ value: `${n}` }))),
    );
    const resource = fc.record({ id: fc.string(), members: list, none: fc.constant(undefined), other: value });
    const body = fc.record({
      schemas: fc.constant(['urn:x']),
      Resources: fc.array(resource, { maxLength: 4 }),
      rest: list,
    });
    await fc.assert(
      fc.asyncProperty(body, async (one) => expect(await jsonInTurns(one)).toBe(JSON.stringify(one))),
      { numRuns: 100 },
    );
  });

  it('lets other work run while it writes a long list', async () => {
    const members = Array.from({ length: 10_000 }, (_, n) => ({ value: `${n}` }));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await jsonInTurns({ id: 'g', members });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
