import { ENTRY_ENDPOINT_FORMAT } from '../../bundles/entries/entry-endpoint';
import { Environment } from '../../config/environment';
import { TextChecks } from '../../http/requests/text-checks';
import { DnsResolver } from '../../outbound/dns-resolver';
import { TargetAddresses } from '../../outbound/target-addresses';
import { EndpointUrls } from './endpoint-urls';

/** @returns the type of the fault of an address; undefined: it is taken */
function judge(url: string, networks = ''): string | undefined {
  const checks = new TextChecks();
  const environment = new Environment({ WEBHOOKS_ALLOWED_NETWORKS: networks });
  new EndpointUrls(checks, new TargetAddresses(environment, new DnsResolver()));
  return checks.get(ENTRY_ENDPOINT_FORMAT)(url)?.type;
}

describe('The host of an endpoint_url', () => {
  it.each(['https://mcp.example.com/mcp', 'https://8.8.8.8/mcp', 'https://[2606:4700::1111]/mcp'])(
    'may be public: %s',
    (url) => {
      expect(judge(url)).toBeUndefined();
    },
  );

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'http://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/',
    'https://127.0.0.1:9000/mcp',
    'https://2130706433/mcp',
    'https://0x7f.1/mcp',
    'https://[::1]/mcp',
    'https://[::ffff:10.0.0.1]/mcp',
    'https://10.0.0.1/mcp',
    'https://localhost/mcp',
    'https://mcp.internal/mcp',
    'https://mcp/mcp',
    'https://mcp.svc.cluster.local/mcp',
  ])('is not one of a private network: %s', (url) => {
    expect(judge(url)).toBe('value_error');
  });

  it.each([
    ['http://127.0.0.1:9000/mcp', '127.0.0.1/32'],
    ['http://localhost:9000/mcp', '127.0.0.1/32'],
    ['http://10.1.2.3/mcp', '10.0.0.0/8'],
    ['https://10.1.2.3/mcp', '10.0.0.0/8'],
    ['http://mcp-github:8080/mcp', '172.16.0.0/12'],
    ['http://github.mcp.svc.cluster.local/mcp', '10.0.0.0/8'],
  ])('may be one that the operator allows, also by http: %s in %s', (url, networks) => {
    expect(judge(url, networks)).toBeUndefined();
  });

  it.each([
    ['http://mcp.example.com/mcp', '', 'url_scheme'],
    ['http://mcp.example.com/mcp', '10.0.0.0/8', 'url_scheme'],
    ['http://8.8.8.8/mcp', '10.0.0.0/8', 'url_scheme'],
    ['http://10.1.2.3/mcp', '127.0.0.1/32', 'value_error'],
    ['http://169.254.169.254/', '10.0.0.0/8', 'value_error'],
  ])('is reached in the clear only where the operator allows it: %s in %j', (url, networks, type) => {
    expect(judge(url, networks)).toBe(type);
  });
});
