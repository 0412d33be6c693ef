import { readSearch } from '../lists/scim-query';
import { readBulk } from './bulk-request';
import { BULK_REQUEST_URN } from '../urns';

const body = (fields: object) => ({ schemas: [BULK_REQUEST_URN], Operations: [], ...fields });

describe('A bulk request', () => {
  it('is read in any case of its names and of its schema', () => {
    const { failOnErrors } = readBulk(
      { Schemas: [BULK_REQUEST_URN.toUpperCase()], OPERATIONS: [], failonerrors: 2 },
      new Set(),
    );
    expect(failOnErrors).toBe(2);
  });

  it.each([
    ['Operations', body({ operations: [] })],
    ['failOnErrors', body({ failOnErrors: 1, failonerrors: 2 })],
    ['method', body({ Operations: [{ method: 'POST', Method: 'DELETE' }] })],
  ])('is rejected if it has %s in two cases', (_, request) => {
    expect(() => readBulk(request, new Set())).toThrow(expect.objectContaining({ failure: 'invalidSyntax' }) as Error);
  });

  it('keeps a bounded number of unknown names', () => {
    const ignored = new Set<string>();
    const operations = Array.from({ length: 200 }, (_, n) => ({ [`unknown${n}`]: 1 }));
    readBulk(body({ Operations: operations }), ignored);
    expect(ignored.size).toBeLessThanOrEqual(101);
  });
});

it('A search is read in any case of its schema', () => {
  const urn = 'URN:ietf:params:scim:api:messages:2.0:searchrequest';
  expect(readSearch({ schemas: [urn], count: 1 }).count).toBe(1);
});
