import { Environment } from '../../config/environment';
import { TextChecks } from '../../http/requests/text-checks';
import { DnsError, DnsResolver } from '../../outbound/dns-resolver';
import { TargetAddresses } from '../../outbound/target-addresses';
import { TargetUrls } from './target-url';
import { crowding } from '../../../test/support/eventually';

const NAMES: Record<string, string[]> = {
  'public.example.com': ['8.8.8.8'],
  'mixed.example.com': ['10.0.0.1', '8.8.8.8'],
  'private.example.com': ['10.0.0.1', '169.254.169.254', '::1'],
  'hooks.internal': ['fd12::1'],
};

/** Resolves some names; `silent.example.com` gets no answer until the query is aborted. */
class TestDns extends DnsResolver {
  override lookup(hostname: string, signal: AbortSignal): Promise<string[]> {
    const addresses = NAMES[hostname];
    if (addresses) return Promise.resolve(addresses);
    if (hostname === 'broken.example.com') return Promise.reject(new RangeError('A fault of our own.'));
    if (hostname !== 'silent.example.com') return Promise.reject(new DnsError(true));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DnsError(false)), { once: true });
    });
  }
}

const targets = (variables: Record<string, string> = {}) => {
  const environment = new Environment(variables);
  return new TargetUrls(environment, new TextChecks(), new TargetAddresses(environment, new TestDns()));
};
const strict = targets();
const lenient = targets({ WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8,fd00::/8' });

describe('A target_url', () => {
  it.each([
    ['https://hooks.example.com'],
    ['https://hooks.example.com/'],
    ['https://hooks.example.com:8443/in?tenant=1&x=%20'],
    ['HTTPS://HOOKS.EXAMPLE.COM/In'],
    ['https://hooks.example.com/a@b'],
    ['https://hooks.example.com/in?to=a@b'],
    ['https://bücher.example/straße'],
    ['https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/'],
    [`https://hooks.example.com/${'a'.repeat(2_048 - 26)}`],
  ])('is accepted unchanged: %.60s', (url) => {
    expect(strict.fault(url)).toBeUndefined();
  });

  it.each([
    ['http://hooks.example.com/', 'url_scheme'],
    ['ftp://hooks.example.com/', 'url_scheme'],
    ['file:///etc/passwd', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['mailto:alice@example.com', 'url_scheme'],
    ['wss://hooks.example.com/', 'url_scheme'],
    ['', 'url_parsing'],
    ['hooks.example.com', 'url_parsing'],
    ['//hooks.example.com/', 'url_parsing'],
    ['/in', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['https:hooks.example.com', 'url_parsing'],
    ['https:/hooks.example.com', 'url_parsing'],
    ['https:///hooks.example.com', 'url_parsing'],
    ['https:\\\\hooks.example.com', 'url_parsing'],
    ['https://hooks.example.com\\@evil.example', 'url_parsing'],
    ['https://hooks.example.com:99999/', 'url_parsing'],
    ['https://[::1', 'url_parsing'],
    ['https://256.256.256.256/', 'url_parsing'],
    ['https://hooks.exa mple.com/', 'url_parsing'],
    [' https://hooks.example.com/', 'url_parsing'],
    ['https://hooks.example.com/ ', 'url_parsing'],
    ['https://hooks.example.com/a b', 'url_parsing'],
    ['https://hooks.example.com/a\tb', 'url_parsing'],
    ['https://hooks.example.com/a\nb', 'url_parsing'],
    ['ht\ntps://hooks.example.com/', 'url_parsing'],
    ['\u0001https://hooks.example.com/', 'url_parsing'],
    ['https://hooks.example.com/\u001f', 'url_parsing'],
    ['https://hooks.example.com/\u007f', 'url_parsing'],
    ['https://hooks.example.com/\u00a0', 'url_parsing'],
    ['https://alice@hooks.example.com/', 'value_error'],
    ['https://alice:secret@hooks.example.com/', 'value_error'],
    ['https://:secret@hooks.example.com/', 'value_error'],
    ['https://@hooks.example.com/', 'value_error'],
    ['https://:@hooks.example.com/', 'value_error'],
    ['https:@hooks.example.com/', 'url_parsing'],
    ['https://hooks.example.com/#', 'value_error'],
    ['https://hooks.example.com/#part', 'value_error'],
    ['https://hooks.example.com/?a=1#part', 'value_error'],
    ['https://localhost/', 'value_error'],
    ['https://localhost../', 'value_error'],
    ['https://127.0.0.1/', 'value_error'],
    ['https://2130706433/', 'value_error'],
    ['https://0x7f.1:8443/', 'value_error'],
    ['https://[::ffff:169.254.169.254]/', 'value_error'],
    ['https://metadata.google.internal/', 'value_error'],
  ])('is rejected: %j', (url, type) => {
    expect(strict.fault(url)?.type).toBe(type);
  });

  it('can be http only with WEBHOOKS_ALLOW_HTTP', () => {
    expect(lenient.fault('http://hooks.example.com/')).toBeUndefined();
    expect(lenient.fault('https://hooks.example.com/')).toBeUndefined();
    expect(lenient.fault('ftp://hooks.example.com/')).toEqual({
      msg: 'Must start with https:// or http://.',
      type: 'url_scheme',
    });
    expect(strict.fault('http://hooks.example.com/')).toEqual({ msg: 'Must start with https://.', type: 'url_scheme' });
  });

  it('can be in the networks of WEBHOOKS_ALLOWED_NETWORKS, but in no other private one', () => {
    for (const host of ['127.0.0.1', '2130706433', '[fd12::1]', '[::ffff:127.0.0.1]']) {
      expect(lenient.fault(`http://${host}:8080/in`)).toBeUndefined();
    }
    for (const host of ['10.0.0.1', '[::1]', '169.254.169.254', 'localhost..']) {
      expect(lenient.fault(`http://${host}:8080/in`)?.type).toBe('value_error');
    }
  });
});

const NOT_PUBLIC = { msg: 'Deliveries to this address are not allowed: it is not public.', type: 'value_error' };

describe('The host of a target_url', () => {
  it.each([
    ['public.example.com', undefined],
    ['mixed.example.com', undefined],
    ['private.example.com', NOT_PUBLIC],
    ['unknown.example.com', undefined],
    ['hooks.internal', NOT_PUBLIC],
    ['127.0.0.1', NOT_PUBLIC],
    ['localhost', NOT_PUBLIC],
    ['8.8.8.8', undefined],
  ])('is looked up and judged as for a delivery: %s', async (host, refusal) => {
    expect(await strict.refusal(`https://${host}/in`)).toEqual(refusal);
  });

  it('is judged by the allowed networks', async () => {
    expect(await lenient.refusal('http://hooks.internal/in')).toBeUndefined();
    expect(await lenient.refusal('http://localhost/in')).toBeUndefined();
    expect(await lenient.refusal('http://private.example.com/in')).toEqual(NOT_PUBLIC);
    const other = targets({ WEBHOOKS_ALLOWED_NETWORKS: '10.9.0.0/16' });
    expect(await other.refusal('https://hooks.internal/in')).toEqual(NOT_PUBLIC);
    expect(await other.refusal('https://localhost/in')).toEqual(NOT_PUBLIC);
  });

  it('is accepted if the DNS does not answer within two seconds', async () => {
    const asked = Date.now();
    expect(await strict.refusal('https://silent.example.com/in')).toBeUndefined();
    expect(Date.now() - asked).toBeGreaterThan(1_900);
    expect(Date.now() - asked).toBeLessThan(2_900 * crowding());
  });

  it('is looked up only if the URL is valid', async () => {
    expect(await strict.refusal('http://private.example.com/in')).toEqual({
      msg: 'Must start with https://.',
      type: 'url_scheme',
    });
    await expect(strict.refusal('https://broken.example.com/in')).rejects.toThrow(RangeError);
  });
});
