import { creationOf, type DeploymentDraft, isVersion, updateOf } from './deployment-changes';

const draft: DeploymentDraft = {
  kind: 'EXTERNAL',
  name: 'Desk',
  environment: 'production',
  version: '',
  status: 'RUNNING',
  url: ' https://mcp.acme.example/ ',
};

describe('What is sent for a deployment', () => {
  it('has its status and its address if it is run elsewhere', () => {
    expect(creationOf(draft)).toEqual({
      kind: 'EXTERNAL',
      name: 'Desk',
      environment: 'production',
      status: 'RUNNING',
      url: 'https://mcp.acme.example/',
    });
    expect(creationOf({ ...draft, url: '', version: '3' })).toEqual({
      kind: 'EXTERNAL',
      name: 'Desk',
      environment: 'production',
      status: 'RUNNING',
      bundle_version: 3,
    });
  });

  it('has neither for an endpoint', () =>
    expect(creationOf({ ...draft, kind: 'ENDPOINT' })).toEqual({
      kind: 'ENDPOINT',
      name: 'Desk',
      environment: 'production',
    }));

  it('has only what differs, and an empty address to remove it', () => {
    const former = { ...draft, version: '3', url: 'https://mcp.acme.example/' };
    expect(updateOf(former, former)).toEqual({});
    expect(updateOf(former, { ...former, url: '', version: '4' })).toEqual({ url: '', bundle_version: 4 });
    expect(updateOf(former, { ...former, kind: 'ENDPOINT', status: 'FAILED', name: 'Table' })).toEqual({
      name: 'Table',
    });
  });
});

describe('The version of a deployment', () => {
  it.each([
    ['', true, true],
    ['', false, false],
    [' 3 ', false, true],
    ['0', true, false],
    ['6', true, false],
    ['x', true, false],
  ])('%j, if it may be left out: %s, is valid: %s', (text, mayBeEmpty, expected) =>
    expect(isVersion(text, 5, mayBeEmpty)).toBe(expected),
  );
});
