import fc from 'fast-check';
import {
  EventStreamReader,
  EventTooLargeError,
  eventOf,
  KEEP_ALIVE,
  MAX_EVENT_BYTES,
  type StreamEvent,
} from './event-stream';

/** @returns the events of a text, in chunks that end at these bytes */
function read(text: string, cuts: readonly number[] = []): SaidEvent[] {
  const bytes = Buffer.from(text);
  const reader = new EventStreamReader();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const events = [...ends, bytes.length].map((end, index) => reader.push(bytes.subarray(ends[index - 1] ?? 0, end)));
  return events.flat().map(({ data, ...rest }) => ({ ...rest, data: data.toString('utf8') }));
}

type SaidEvent = Omit<StreamEvent, 'data'> & { readonly data: string };

const message = (data: string, id?: string): SaidEvent => ({ type: 'message', data, id });

describe('A stream of events', () => {
  // The examples of the HTML standard, section 9.2.6.
  it.each<[string, SaidEvent[]]>([
    ['data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
    [
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      [message('first event', '1'), message('second event', ''), message(' third event')],
    ],
    ['data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
    ['data:test\n\ndata: test\n\n', [message('test'), message('test')]],
    ['event: add\ndata: 1\n\n', [{ type: 'add', data: '1', id: undefined }]],
    ['\ufeffdata: x\r\rdata: y\r\n\r\n', [message('x'), message('y')]],
    ['retry: 10\nunknown: 1\nid: a\0b\ndata: x\n\n', [message('x')]],
    [`${KEEP_ALIVE}${eventOf('{"a":1}')}`, [message('{"a":1}')]],
  ])('is read: %j', (text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('does not depend on where the bytes are cut', () => {
    const line = fc.oneof(
      fc.constantFrom('data: grün', 'data:世', 'id: 1', ': x', 'event: e', ''),
      fc.string({ unit: 'binary' }),
    );
    const text = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 40 }), (lines, cuts) => {
        const all = lines.map(([content, end]) => content.toWellFormed().replace(/[\r\n]/g, '') + end).join('');
        expect(read(all, cuts)).toEqual(read(all));
      }),
    );
  });

  it('takes no longer for a long line that comes byte by byte', () => {
    const reader = new EventStreamReader();
    reader.push(Buffer.from(`data: ${'x'.repeat(MAX_EVENT_BYTES - 200_000)}`));
    const byte = Buffer.from('x');
    const began = performance.now();
    for (let n = 0; n < 100_000; n++) reader.push(byte);
    // Searching all of it each time took half a minute and more.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(reader.push(Buffer.from('\n\n'))[0]?.data).toHaveLength(MAX_EVENT_BYTES - 100_000);
  });

  it('has the data of any number of lines in one piece of memory, which is what is held', () => {
    const most = 4 * MAX_EVENT_BYTES;
    const lent = Buffer.alloc(most);
    const lend = jest.fn().mockReturnValueOnce(lent);
    const reader = new EventStreamReader(most, lend);
    const lines = Array.from({ length: 300_000 }, (_, n) => `${n % 10},`);
    reader.push(Buffer.from(`data: [\n${lines.map((line) => `data: ${line}\n`).join('')}data: 0]\n`));
    const piece = Buffer.from('\n');
    expect(reader.heldWith(piece)).toBeGreaterThanOrEqual(most);
    const [event] = reader.push(piece);
    expect(event?.data.toString()).toBe(`[\n${lines.join('\n')}\n0]`);
    // Joining buffers of the lines took 100 ms in one piece, and each of them 100 bytes.
    expect(event?.data.buffer).toBe(lent.buffer);
    expect(reader.heldWith(piece)).toBe(1);
  });

  it('ends at an event that is too long, however it comes', () => {
    const half = 'x'.repeat(MAX_EVENT_BYTES / 2);
    expect(() => read(`data: ${half}\ndata: ${half}\n\n`)).toThrow(EventTooLargeError);
    expect(() => read(`data: ${half}${half}`)).toThrow(EventTooLargeError);
    expect(() => read(`:${half}${half}`)).toThrow(EventTooLargeError);
    expect(read(`data: ${half}\n\ndata: ${half}\n\n`)).toHaveLength(2);
    expect(read(`: ${half}\n: ${half}\n: ${half}\ndata: x\n\n`)).toEqual([message('x')]);
  });
});
