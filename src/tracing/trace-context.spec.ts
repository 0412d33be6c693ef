import fc from 'fast-check';
import { formatTraceparent, parseTraceparent } from './trace-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('A traceparent', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.nat(1), (trace, span, traceFlags) => {
        fc.pre(/[1-9a-f]/.test(trace) && /[1-9a-f]/.test(span));
        const context = { traceId: trace, spanId: span, traceFlags };
        expect(parseTraceparent(formatTraceparent(context))).toEqual({ ...context, isRemote: true });
      }),
    );
  });

  it.each<[string, string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', `00-${TRACE}-${SPAN}`],
    ['of version 00 with more parts', `00-${TRACE}-${SPAN}-01-more`],
    ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['sent twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('%s is none', (_what, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('of a later version is read as far as it is known, with no flag but "sampled"', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-ff-what.the.future.brings`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      isRemote: true,
    });
  });

  it('keeps the tracestate beside it', () => {
    const context = parseTraceparent(`00-${TRACE}-${SPAN}-01`, 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7');
    expect(context?.traceState?.get('rojo')).toBe('00f067aa0ba902b7');
  });

  it('of any text either is none, or is written as its first 55 characters begin', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), hex(55)), (text) => {
        const context = parseTraceparent(text);
        expect(context === undefined || formatTraceparent(context).slice(3, 52) === text.slice(3, 52)).toBe(true);
      }),
    );
  });
});
