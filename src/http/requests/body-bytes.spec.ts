import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { readBytes } from './body-bytes';
import { DomainError } from '../../errors/errors';

const MIB = 1_048_576;

describe('The bytes of a request body', () => {
  /** A request of which only the head has arrived. */
  const requestWith = (headers: Record<string, string> = {}) => {
    const stream = new PassThrough({ highWaterMark: MIB });
    const request = Object.assign(stream, { headers, complete: true, socket: new PassThrough() }) as unknown as Request;
    return { stream, reading: readBytes(request, {} as Response, MIB) };
  };

  it.each([0, 1, 16_383, 16_384, 16_385, 300_000, MIB])('are read completely: %i of them, in chunks', async (size) => {
    const { stream, reading } = requestWith();
    const sent = Buffer.from(Array.from({ length: size }, (_, n) => n % 251));
    for (let at = 0; at < size; at += 7_001) stream.write(sent.subarray(at, at + 7_001));
    stream.end();
    expect((await reading).equals(sent)).toBe(true);
  });

  it.each([1, 16_385, 300_000])('are read completely if they have arrived with the head: %i of them', async (size) => {
    const stream = new PassThrough({ highWaterMark: MIB });
    const sent = Buffer.from(Array.from({ length: size }, (_, n) => n % 251));
    const half = Math.ceil(size / 2);
    stream.write(sent.subarray(0, half));
    stream.end(sent.subarray(half));
    const headers = { 'content-length': String(size) };
    const request = Object.assign(stream, { headers, complete: true, socket: new PassThrough() }) as unknown as Request;
    expect((await readBytes(request, {} as Response, MIB)).equals(sent)).toBe(true);
    await turn();
    // Otherwise Node would not read the next request of the connection.
    expect(stream.readableEnded).toBe(true);
  });

  it('are read completely after decompression', async () => {
    const { stream, reading } = requestWith({ 'content-encoding': 'gzip' });
    stream.end(gzipSync('x'.repeat(MIB)));
    expect((await reading).toString()).toBe('x'.repeat(MIB));
  });

  it('are rejected from the first one above the limit', async () => {
    const { stream, reading } = requestWith();
    for (let sent = 0; sent <= MIB; sent += 1_000) stream.write(Buffer.alloc(1_000));
    await expect(reading).rejects.toThrow(DomainError);
  });

  it('take only their own memory: small chunks are not kept one by one', async () => {
    const { stream, reading } = requestWith();
    const pieces: WeakRef<Buffer>[] = [];
    for (let sent = 0; sent < MIB; sent += 64) {
      const piece = Buffer.alloc(64, 'x');
      pieces.push(new WeakRef(piece));
      stream.write(piece);
      if (sent % 640_000 === 0) await turn();
    }
    await turn();
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const kept = pieces.filter((piece) => piece.deref() !== undefined).length;
    stream.end();
    expect((await reading).equals(Buffer.alloc(MIB, 'x'))).toBe(true);
    expect(kept).toBeLessThan(pieces.length / 10);
  });

  it('can come in a few thousand one-byte chunks, but not more', async () => {
    const few = requestWith();
    for (let sent = 0; sent < 4_000; sent++) few.stream.write('x');
    few.stream.end();
    expect((await few.reading).length).toBe(4_000);
    const many = requestWith();
    for (let sent = 0; sent < 5_000; sent++) many.stream.write('x');
    await expect(many.reading).rejects.toThrow(/too many chunks/);
  });
});
