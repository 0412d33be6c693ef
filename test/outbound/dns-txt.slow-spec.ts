import { DnsError } from '../../src/outbound/dns-resolver';
import { DnsServer } from '../support/dns-server';

let dns: DnsServer;

beforeAll(async () => {
  dns = await DnsServer.start();
});

afterAll(() => dns.close());

const failure = (asked: Promise<string[]>): Promise<unknown> =>
  asked.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('TXT records', () => {
  it('are returned one by one, each with its strings joined', async () => {
    const long = 'a'.repeat(255);
    dns.answerTxt = (name) => (name === '_toolyard.example.com' ? [['v=spf1 ', '-all'], [long, 'b'], ['']] : []);
    expect(await dns.resolver.txt('_toolyard.example.com')).toEqual(['v=spf1 -all', `${long}b`, '']);
    expect(dns.questions).toEqual(['_toolyard.example.com TXT']);
  });

  it.each([
    ['the name does not exist', 'no such name', true],
    ['the name has no TXT records', [], true],
    ['the server fails', 'fails', false],
  ] as const)('fail with a DnsError if %s', async (_, answer, isUnknown) => {
    dns.answerTxt = () => answer;
    const error = await failure(dns.resolver.txt('example.com'));
    expect(error).toBeInstanceOf(DnsError);
    expect(error).toMatchObject({ isUnknown });
  });

  it('fail with a DnsError if no server answers', async () => {
    dns.answerTxt = () => 'is silent';
    const error = await failure(dns.resolver.txt('example.com'));
    expect(error).toBeInstanceOf(DnsError);
    expect(error).toMatchObject({ isUnknown: false });
  });
});
