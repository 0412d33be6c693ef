import { createStage, type Endpoint, type Stage } from './support/endpoint-stage';
import { everyone, policiesOf, type Rule } from './support/policy-stage';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api', LIMIT_VERSIONS_PER_BUNDLE: '2' } });
});

afterAll(() => stage.close());

describe('A bundle that has as many versions as allowed', () => {
  const statusOf = async (endpoint: Endpoint, body: object) =>
    (await endpoint.owner.api.raw('put', policiesOf(endpoint)).send(body)).status;

  it('can still be closed, but not opened', async () => {
    const endpoint = await (await stage.person()).endpoint([]);
    const rule = (effect: Rule['effect'], tools: string): Rule => ({ effect, subject: everyone, tools });
    const [allowing, denying] = [rule('ALLOW', 'get'), rule('DENY', 'delete')];
    expect(await statusOf(endpoint, { rules: [allowing] })).toBe(200);
    expect(await statusOf(endpoint, { rules: [allowing, rule('ALLOW', 'list')] })).toBe(409);
    expect(await statusOf(endpoint, { rules: [allowing, denying] })).toBe(200);
    expect(await statusOf(endpoint, { rules: [denying], default_access: 'DENY' })).toBe(200);
    expect(await statusOf(endpoint, { rules: [] })).toBe(409);
    const patch = (body: object) =>
      endpoint.owner.api.raw('patch', `/v1/bundles/${endpoint.bundleId}/endpoint`).send(body);
    expect((await patch({ default_access: 'ALLOW' })).status).toBe(409);
    expect((await patch({ presentation: 'SEARCH' })).status).toBe(409);
    // What is no policy makes no version.
    expect((await patch({ naming: 'PLAIN' })).status).toBe(200);
  });
});
