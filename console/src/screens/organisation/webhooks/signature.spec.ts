import { webcrypto } from 'node:crypto';
import { sign } from '../../../../../src/webhooks/sending/signature';
import { checkRequest, parseHeaders, type PastedRequest } from './signature';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = 1_795_163_400;
const BODY =
  '{"type":"bundle.created","timestamp":"2026-11-20T08:30:00.000Z","data":{"name": "Zoë", "tags": [1, "a"], "org_id": null}}';

const headersOf = (signature: string, timestamp = String(NOW)) =>
  `Host: hooks.example.com\nWebhook-Id: 019a\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}`;
const signed = (secrets = [SECRET], timestamp = NOW) => sign('019a', timestamp, Buffer.from(BODY), secrets);

const check = (request: Partial<PastedRequest>, seconds = NOW) =>
  checkRequest(
    { headers: headersOf(signed()), body: BODY, secret: SECRET, ...request },
    webcrypto.subtle,
    seconds * 1_000,
  );

describe('The check of a signature in the page', () => {
  it('agrees with the sender, also while two secrets sign', async () => {
    expect(await check({}, NOW + 4)).toEqual({ is: 'right', seconds: 4 });
    expect(await check({ headers: headersOf(signed([OTHER, SECRET])) })).toMatchObject({ is: 'right' });
    expect(await check({ secret: `  ${SECRET}\n` })).toMatchObject({ is: 'right' });
  });

  it('names the headers that are missing', async () => {
    expect(await check({ headers: 'webhook-id: 1' })).toEqual({
      is: 'missing',
      names: ['webhook-timestamp', 'webhook-signature'],
    });
  });

  it.each([
    ['too old', NOW + 301, { is: 'old', seconds: 301 }],
    ['just in time', NOW + 300, { is: 'right', seconds: 300 }],
    ['in the future', NOW - 400, { is: 'future', seconds: -400 }],
  ])('says that a request is %s', async (_, now, verdict) => expect(await check({}, now)).toEqual(verdict));

  it.each([
    ['another secret', { secret: OTHER }, 'wrongSecret'],
    ['half of the secret', { secret: SECRET.slice(0, 20) }, 'secretForm'],
    ['a secret without its beginning', { secret: SECRET.slice(6) }, 'secretForm'],
    ['a timestamp that is none', { headers: headersOf(signed(), 'now') }, 'timestamp'],
    ['a signature of another version', { headers: headersOf('v2,abcd') }, 'signatureForm'],
    ['a body that was written again', { body: JSON.stringify(JSON.parse(BODY)) }, 'mended'],
    ['a body in several lines', { body: JSON.stringify(JSON.parse(BODY), null, 2) }, 'mended'],
    ['a line feed after the body', { body: `${BODY}\n` }, 'mended'],
    ['a part of the body', { body: BODY.slice(0, 40) }, 'notJson'],
    ['another value in the body', { body: BODY.replace('Zoë', 'Zoe') }, 'wrongSecret'],
    ['a body written again, and another secret', { body: `${BODY} `, secret: OTHER }, 'bodyChanged'],
  ])('finds %s', async (_, request, is) => expect(await check(request)).toEqual({ is }));

  it('reads headers of a command, of JSON and of a log', () => {
    for (const text of [
      '-H \'webhook-id: 1\' \\\n  --header "webhook-timestamp: 2"',
      '"webhook-id": "1",\n"webhook-timestamp": "2"',
      'Webhook-Id:1\r\nWebhook-Timestamp: 2',
    ]) {
      expect(Object.fromEntries(parseHeaders(text))).toEqual({ 'webhook-id': '1', 'webhook-timestamp': '2' });
    }
  });
});
