import { browserOf, type ConnectStage, createConnectStage, personalEndpoint, press } from '../support/connect-stage';
import type { ModernClient } from '../support/mcp-client';
import { type Json, toolOf as definitionOf } from '../support/test-upstream';

const namesOf = async (client: Pick<ModernClient, 'result'>) =>
  ((await client.result('tools/list')).tools as { name: string }[]).map(({ name }) => name);

describe('A server that lists nothing to those who are not connected', () => {
  let at: ConnectStage;
  beforeEach(async () => {
    at = await createConnectStage(2);
  });
  afterEach(() => at.close());

  it.each(['PREFIX', 'PLAIN'])('has one tool, which connects the account and is gone then (%s)', async (naming) => {
    const ada = await at.stage.person();
    const { endpoint } = await personalEndpoint(at, ada);
    await endpoint.set({ naming });
    const client = await ada.modern(endpoint);
    client.capabilities = { elicitation: { url: {} } };
    const [name = '', ...others] = await namesOf(client);
    expect([name, others]).toEqual([expect.stringMatching(/^[a-z0-9-]{1,16}__connect$/), []]);

    const { inputRequests, requestState } = await client.result('tools/call', { name, arguments: {} });
    const { url } = (inputRequests as { connect: { params: Json } }).connect.params;
    expect((await press(await browserOf(at.stage, ada), String(url))).text).toContain('<h1>Connected</h1>');
    const again = { name, arguments: {}, requestState, inputResponses: { connect: { action: 'accept' } } };
    const done = await client.result('tools/call', again);
    expect([done.isError, JSON.stringify(done.content)]).toEqual([undefined, expect.stringContaining('is connected')]);
    const listed = await namesOf(client);
    expect([listed.length > 1, listed.some((each) => each.endsWith('connect'))]).toEqual([true, false]);
  });

  it('keeps its tools, and connects again, when the account is refused', async () => {
    const ada = await at.stage.person();
    const { endpoint } = await personalEndpoint(at, ada);
    const client = await ada.modern(endpoint);
    client.capabilities = { elicitation: { url: {} } };
    const connectNow = async (name: string) => {
      const { inputRequests } = await client.result('tools/call', { name, arguments: {} });
      const { url } = (inputRequests as { connect: { params: Json } }).connect.params;
      await press(await browserOf(at.stage, ada), String(url));
    };
    await connectNow((await namesOf(client))[0] ?? '');
    const listed = await namesOf(client);
    at.issuer.forgetTokens();
    const name = listed.find((each) => each.endsWith('__echo')) ?? '';
    await connectNow(name);
    expect(await namesOf(client)).toEqual(listed);
    expect((await client.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
  });

  it('has none for an access token of the bundle, and calls none that does not exist', async () => {
    const ada = await at.stage.person();
    const { endpoint } = await personalEndpoint(at, ada);
    const person = await ada.modern(endpoint);
    const [name = ''] = await namesOf(person);
    const machine = Object.assign(await ada.modern(endpoint), { token: await endpoint.bundleToken() });
    expect(await namesOf(machine)).toEqual([]);
    expect((await machine.error('tools/call', { name, arguments: {} })).message).toBe('Unknown tool');
    expect((await person.error('tools/call', { name: 'none__connect', arguments: {} })).message).toBe('Unknown tool');
  });

  it('has its own tool of that name, if it has one', async () => {
    at.upstream.tools = [definitionOf('connect')];
    at.upstream.fault = () => false;
    const ada = await at.stage.person();
    const { endpoint } = await personalEndpoint(at, ada);
    const { tools } = await (await ada.modern(endpoint)).result('tools/list');
    expect(tools).toMatchObject([{ description: 'The tool connect.' }]);
  });
});
