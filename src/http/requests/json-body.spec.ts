import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { readJson } from './json-body';

describe('A JSON body', () => {
  /** Turns of the event loop after the last byte. */
  async function turnsOf(text: string): Promise<number> {
    const stream = new PassThrough({ highWaterMark: 2_097_152 });
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
    const request = Object.assign(stream, { headers, complete: true, socket: new PassThrough() }) as unknown as Request;
    let turns = 0;
    let isRead = false;
    const count = (): void => {
      if (isRead) return;
      turns++;
      setImmediate(count);
    };
    const reading = readJson(request, {} as Response, { isOptional: false, valueLimit: 75_000 });
    stream.end(text);
    setImmediate(count);
    expect((await reading).faults).toEqual([]);
    isRead = true;
    return turns;
  }

  it('with many values is parsed in slices that let other work run; a short one at once', async () => {
    const many = JSON.stringify(Array.from({ length: 37_000 }, () => ({ value: 'x' })));
    expect(await turnsOf(many)).toBeGreaterThanOrEqual(2);
    expect(await turnsOf('{"name":"a"}')).toBe(0);
  });
});
