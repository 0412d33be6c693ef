import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { EndpointCredentials } from './endpoint-credentials';
import { WebhookSecrets } from './webhook-secrets';

class CountingSecrets extends WebhookSecrets {
  opened = 0;

  override decrypt(endpointId: string, encrypted: Buffer): string {
    this.opened += 1;
    return super.decrypt(endpointId, encrypted);
  }

  override decryptHeaders(endpointId: string, encrypted: Buffer) {
    this.opened += 1;
    return super.decryptHeaders(endpointId, encrypted);
  }
}

describe('The credentials of a webhook endpoint', () => {
  const secrets = new CountingSecrets(new Secrets(Buffer.alloc(32, 7)));
  let credentials: EndpointCredentials;

  beforeEach(() => {
    credentials = new EndpointCredentials(secrets);
    secrets.opened = 0;
  });

  const sealed = (headers: Record<string, string> | null = null, former = 0) => {
    const endpoint_id = newId();
    const clear = Array.from({ length: former + 1 }, () => secrets.generate());
    const [encrypted_secret = Buffer.alloc(0), ...rest] = clear.map((secret) => secrets.encrypt(endpoint_id, secret));
    const encrypted_headers = headers && secrets.encryptHeaders(endpoint_id, headers);
    const target = { target_url: 'https://hooks.example.com/in', encrypted_query: null };
    return { clear, row: { endpoint_id, ...target, encrypted_secret, former: rest, encrypted_headers } };
  };

  it('are its secret, the former secrets that still sign, and its headers', () => {
    const headers = JSON.parse('{"Authorization": "Bearer one", "__proto__": "two"}') as Record<string, string>;
    const { clear, row } = sealed(headers, 2);
    const opened = credentials.open(row);
    expect(opened.secrets).toEqual(clear);
    expect(Object.entries(opened.headers)).toEqual(Object.entries(headers));
    const plain = sealed();
    expect(credentials.open(plain.row)).toEqual({
      targetUrl: 'https://hooks.example.com/in',
      secrets: plain.clear,
      headers: {},
    });
  });

  it('are decrypted once, and again when they change', () => {
    const { clear, row } = sealed({ 'X-Team': 'pagers' }, 1);
    const copy = () => ({ ...row, encrypted_secret: Buffer.from(row.encrypted_secret), former: [...row.former] });
    for (let n = 0; n < 10; n++) expect(credentials.open(copy()).secrets).toEqual(clear);
    expect(secrets.opened).toBe(3);
    const fresh = secrets.generate();
    const rotated = {
      ...row,
      encrypted_secret: secrets.encrypt(row.endpoint_id, fresh),
      former: [row.encrypted_secret],
    };
    expect(credentials.open(rotated).secrets).toEqual([fresh, clear[0]]);
    expect(secrets.opened).toBe(4);
  });

  it('cannot be decrypted for another endpoint, cached or not', () => {
    const { row } = sealed({ 'X-Team': 'pagers' });
    const foreign = { ...row, endpoint_id: newId() };
    expect(() => credentials.open(foreign)).toThrow();
    credentials.open(row);
    expect(() => credentials.open(foreign)).toThrow();
    expect(() => credentials.openHeaders(foreign.endpoint_id, row.encrypted_headers)).toThrow();
  });

  it('cannot be swapped with one another, cached or not', () => {
    const { row } = sealed({ 'X-Team': 'pagers' });
    const swapped = () => credentials.openHeaders(row.endpoint_id, row.encrypted_secret);
    const swappedBack = () =>
      credentials.open({ ...row, encrypted_secret: row.encrypted_headers ?? Buffer.alloc(0), encrypted_headers: null });
    for (const remember of [() => undefined, () => credentials.open(row)]) {
      remember();
      expect(swapped).toThrow();
      expect(swappedBack).toThrow();
    }
  });

  it('cannot be modified by their users', () => {
    const { clear, row } = sealed({ 'X-Team': 'pagers' });
    const got = credentials.open(row);
    got.secrets.length = 0;
    expect(() => Object.assign(got.headers, { 'X-Team': 'others' })).toThrow();
    expect(credentials.open(row)).toMatchObject({ secrets: clear, headers: { 'X-Team': 'pagers' } });
  });

  it('are cached within limits', () => {
    const big = 'x'.repeat(1_000); // some 8 kB with its key
    const first = sealed({ a: big, b: big, c: big, d: big });
    credentials.open(first.row);
    for (let n = 0; n < 3_000; n++) credentials.open(sealed({ a: big, b: big, c: big, d: big }).row);
    secrets.opened = 0;
    credentials.open(first.row);
    expect(secrets.opened).toBeGreaterThan(0);
  });
});
