import fc from 'fast-check';
import { eventBody } from './event-body';

describe('The body of a webhook', () => {
  it('is type, timestamp and data, in this order and without blanks', () => {
    const body = eventBody('bundle.created', new Date('2026-11-21T08:30:00.000Z'), '{"bundle_id": "1"}');
    expect(body).toBe('{"type":"bundle.created","timestamp":"2026-11-21T08:30:00.000Z","data":{"bundle_id": "1"}}');
  });

  it('holds any data and any type, unchanged', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), times, fc.json({ stringUnit: 'binary' }), (type, time, data) => {
        const body = eventBody(type, time, data);
        expect(JSON.parse(body)).toEqual({ type, timestamp: time.toISOString(), data: JSON.parse(data) as unknown });
        expect(body.endsWith(`,"data":${data}}`)).toBe(true);
      }),
    );
  });
});
