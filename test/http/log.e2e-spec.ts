import { createTestApp, TestApp } from '../support/app';
import { createCast } from '../support/factories';

interface Line {
  request_id?: string;
  context?: string;
  msg: string;
}

describe('The log', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });
  afterAll(() => test.close());

  it('shows the request id in every line that a request causes, in the same field', async () => {
    const casts = [await createCast(test), await createCast(test)];
    const deleted = casts.map(async ({ orgId, owner }) => {
      const headers = { Authorization: `Bearer ${owner.token}`, 'X-Request-Id': `deletes-${orgId}` };
      const { status } = await fetch(`${test.url}/v1/organisations/${orgId}`, { method: 'DELETE', headers });
      expect(status).toBe(204);
    });
    await Promise.all(deleted);
    const lines = test.log.map((line) => JSON.parse(line) as Line);
    for (const { orgId } of casts) {
      const ofRequest = lines.filter(({ request_id }) => request_id === `deletes-${orgId}`);
      expect(ofRequest.map(({ context, msg }) => [context, msg.replace(/ by .*/, '')])).toEqual([
        ['OrganisationDeletion', `Organisation ${orgId} was deleted`],
        [undefined, 'answered'],
      ]);
    }
  });
});
